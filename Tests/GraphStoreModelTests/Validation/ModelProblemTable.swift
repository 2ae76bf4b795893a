/// Each problem that a model file can have: the rule, the file, and every line that is printed about it.
let modelProblemTable = #"""
  MDL-025
  {"entities":[}
  1:14: model-syntax: A value is expected here.
  MDL-021
  {"entities":[],}
  1:16: model-syntax: A comma may not stand before the closing brace.
  MDL-024
  {"name":"a","entities":[],"name":"b"}
  1:27: model-duplicate-key: name: The key "name" occurs twice.
  MDL-023
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","optionl":true}]}]}
  1:72: model-unknown-key: entities[0].attributes[0].optionl: There is no key "optionl" here. Did you mean "optional"?
  MDL-289
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","indexed":true}]}]}
  1:72: model-unknown-key: entities[0].attributes[0].indexed: There is no key "indexed" here. List the attribute in an entry of the entity's "indexes".
  MDL-026
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","optional":"no"}]}]}
  1:72: model-wrong-type: entities[0].attributes[0].optional: A boolean is expected here, not string.
  MDL-026
  {"entities":{}}
  1:2: model-wrong-type: entities: A list is expected here, not object.
  MDL-027
  {}
  1:1: model-missing-key: The key "entities" is missing. Add it.
  MDL-027
  {"entities":[{"name":"Thing","attributes":[{"nam":"a","type":"string"}]}]}
  1:44: model-missing-key: entities[0].attributes[0]: The key "name" is missing. Is "nam" meant to be it?
  1:45: model-unknown-key: entities[0].attributes[0].nam: There is no key "nam" here. Did you mean "name"?
  MDL-061
  {"entities":[{"name":"Thing","attributes":[{"name":"1a","type":"string"}]}]}
  1:45: model-bad-name: entities[0].attributes[0].name: A name is letters, digits and underscores and does not begin with a digit; this one is "1a".
  MDL-061
  {"entities":[],"configurations":[{"name":"","entities":[]}]}
  1:35: model-bad-name: configurations[0].name: A name is a text that is not empty and has no control characters.
  MDL-062
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string"},{"name":"a","type":"date"}]}]}
  1:74: model-duplicate-name: entities[0].attributes[1].name: The name "a" is already used by entities[0].attributes[0].
  MDL-062
  {"entities":[{"name":"A"},{"name":"A"}]}
  1:28: model-duplicate-name: entities[1].name: The name "A" is already used by entities[0].
  MDL-063
  {"entities":[{"name":"Thing"},{"name":"THING"}]}
  1:32: model-duplicate-name: entities[1].name: The name differs from that of entities[0] only in case, and their tables would share a name.
  MDL-064
  {"entities":[{"name":"Thing","attributes":[{"name":"self","type":"string"}]}]}
  1:45: model-reserved-name: entities[0].attributes[0].name: "self" is the object itself in every key path. Choose another name for the property.
  MDL-082
  {"entities":[{"name":"Person"},{"name":"B","parent":"Persn"}]}
  1:44: model-unknown-entity: entities[1].parent: There is no entity "Persn" in the model. Did you mean "Person"?
  MDL-083
  {"entities":[{"name":"A","parent":"B"},{"name":"B","parent":"A"}]}
  1:26: model-inheritance-cycle: entities[0].parent: The chain of parents returns to its start: A → B → A. Take the parent away from one of them.
  MDL-084
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"string"}]},{"name":"B","parent":"A","attributes":[{"name":"x","type":"string"}]}]}
  1:111: model-property-redefined: entities[1].attributes[0].name: "x" is inherited from A and cannot be defined again. Remove it here or give it another name.
  MDL-104
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"fetchedProperties":[{"name":"p","entity":"A","transient":true}]}]}
  1:116: model-not-applicable: entities[0].fetchedProperties[0].transient: A fetched property is never stored anyway.
  MDL-104
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"fetchedProperties":[{"name":"p","entity":"A","validations":[{"predicate":"SELF != nil"}]}]}]}
  1:116: model-not-applicable: entities[0].fetchedProperties[0].validations: A fetched property has no validations.
  MDL-109
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"int32","validations":[{"predicate":"SELF >"}]}]}]}
  1:87: model-bad-expression: entities[0].attributes[0].validations[0].predicate: The text cannot be read on: expected a value after >, but the text ends. (offset 6)
  MDL-121
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"Integer 16"}]}]}
  1:56: model-bad-value: entities[0].attributes[0].type: "Integer 16" is not one of int16, int32, int64, decimal, double, float, string, boolean, date, uuid, uri, binary, transformable, composite, undefined. Did you mean "int16"?
  MDL-121
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"strng"}]}]}
  1:56: model-bad-value: entities[0].attributes[0].type: "strng" is not one of int16, int32, int64, decimal, double, float, string, boolean, date, uuid, uri, binary, transformable, composite, undefined. Did you mean "string"?
  MDL-129
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","externalStorage":true}]}]}
  1:72: model-not-applicable: entities[0].attributes[0].externalStorage: An attribute of type string is never stored outside; binary is.
  MDL-130
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"undefined"}]}]}
  1:56: model-not-applicable: entities[0].attributes[0].type: Only a transient attribute can be of type undefined. Set "transient" to true or give it another type.
  MDL-143
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"boolean","default":"true"}]}]}
  1:73: model-bad-value: entities[0].attributes[0].default: For the type boolean this is written as true or false, not as string.
  MDL-143
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"uuid","default":"x"}]}]}
  1:70: model-bad-value: entities[0].attributes[0].default: "x" is not a UUID.
  MDL-144
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"date","default":"2020-01-01T10:00:00"}]}]}
  1:70: model-bad-value: entities[0].attributes[0].default: "2020-01-01T10:00:00" is not a date in ISO 8601 with its zone.
  MDL-145
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"int16","default":70000}]}]}
  1:71: model-bad-value: entities[0].attributes[0].default: "70000" is outside the range of int16 (-32768 to 32767).
  MDL-145
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"int16","default":1.5}]}]}
  1:71: model-bad-value: entities[0].attributes[0].default: "1.5" is not a whole number.
  MDL-146
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"transformable","default":1}]}]}
  1:79: model-not-applicable: entities[0].attributes[0].default: An attribute of type transformable cannot have a default.
  MDL-146
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","default":1}]}]}
  1:73: model-not-applicable: entities[0].relationships[0].default: Only an attribute can have a default. Make the objects at the other end in code, when the object is made.
  MDL-148
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","min":1}]}]}
  1:72: model-not-applicable: entities[0].attributes[0].min: An attribute of type string has no minimum; numbers and dates have.
  MDL-149
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"int16","maxLength":1}]}]}
  1:71: model-not-applicable: entities[0].attributes[0].maxLength: An attribute of type int16 has no length; strings have.
  MDL-150
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","pattern":"[a"}]}]}
  1:72: model-bad-expression: entities[0].attributes[0].pattern: "[a" is not a regular expression.
  MDL-151
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"int16","min":5,"max":3}]}]}
  1:71: model-bad-value: entities[0].attributes[0].min: The minimum 5 is above the maximum 3.
  MDL-151
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","minLength":5,"maxLength":3}]}]}
  1:72: model-bad-value: entities[0].attributes[0].minLength: The minimum length 5 is above the maximum length 3.
  MDL-151
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"string","minLength":-1}]}]}
  1:72: model-bad-value: entities[0].attributes[0].minLength: A length cannot be negative.
  MDL-172
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"string","derivation":"s + 1"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: "s + 1" is not a derivation. A derivation is a key path of to-one steps (name, department.name); canonical:, normalize:, lowercase: or uppercase: of one; RELATIONSHIP.@count; RELATIONSHIP.ATTRIBUTE.@sum; or now().
  MDL-172
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"string","derivation":"nme"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: A has no attribute "nme". A derivation is a key path of to-one steps (name, department.name); canonical:, normalize:, lowercase: or uppercase: of one; RELATIONSHIP.@count; RELATIONSHIP.ATTRIBUTE.@sum; or now().
  MDL-172
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"int32","derivation":"manny.@count"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:170: model-bad-expression: entities[0].attributes[3].derivation: A has no to-many relationship "manny". Did you mean "many"?
  MDL-173
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"string","derivation":"many.@count"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: @count needs a whole-number attribute. Change "type" or the derivation.
  MDL-173
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"int32","derivation":"s"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:170: model-bad-expression: entities[0].attributes[3].derivation: The path leads to string, not int32. Change "type" or the derivation.
  MDL-173
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"int32","derivation":"lowercase:(s)"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:170: model-bad-expression: entities[0].attributes[3].derivation: A function of text needs a string attribute and a path to a string. Change "type" or the derivation.
  MDL-173
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"string","derivation":"now()"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: now() needs a date attribute. Change "type" or the derivation.
  MDL-173
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"many.s.@sum"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: @sum needs number attributes. Change "type" or the derivation.
  MDL-179
  {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"d","type":"string","derivation":"t"}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}]}]}
  1:171: model-bad-expression: entities[0].attributes[3].derivation: A derivation cannot use "t", which is derived or transient.
  MDL-179
  {"entities":[{"name":"Thing","attributes":[{"name":"s","type":"string"},{"name":"d","type":"string","derivation":"s","default":"x"}]}]}
  1:118: model-not-applicable: entities[0].attributes[1].default: A derived attribute cannot have "default".
  MDL-191
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"composite","attributes":[]}]}]}
  1:75: model-bad-value: entities[0].attributes[0].attributes: A composite attribute needs at least one element.
  MDL-191
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"composite","attributes":[{"name":"e","type":"undefined"}]}]}]}
  1:101: model-not-applicable: entities[0].attributes[0].attributes[0].type: An element of a composite cannot be of type undefined.
  MDL-196
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"composite","attributes":[{"name":"e","type":"string","transient":true}]}]}]}
  1:117: model-not-applicable: entities[0].attributes[0].attributes[0].transient: An element of a composite cannot be transient.
  MDL-196
  {"entities":[{"name":"Thing","attributes":[{"name":"a","type":"composite","attributes":[{"name":"e","type":"string","derivation":"x"}]}]}]}
  1:117: model-not-applicable: entities[0].attributes[0].attributes[0].derivation: An element of a composite cannot be derived.
  MDL-203
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"AB"}]}]}
  1:55: model-unknown-entity: entities[0].relationships[0].destination: There is no entity "AB" in the model. Did you mean "A"?
  MDL-204
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"x"}]},{"name":"B","relationships":[{"name":"a","destination":"A"}]}]}
  1:73: model-bad-inverse: entities[0].relationships[0].inverse: B declares no relationship "x". Did you mean "a"?
  MDL-204
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a"}]},{"name":"B","relationships":[{"name":"a","destination":"B"}]}]}
  1:73: model-bad-inverse: entities[0].relationships[0].inverse: B.a leads to B, not back to A. Name another inverse here, or make A the destination there.
  MDL-204
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a"},{"name":"c","destination":"B","inverse":"a"}]},{"name":"B","relationships":[{"name":"a","destination":"A","inverse":"b"}]}]}
  1:118: model-bad-inverse: entities[0].relationships[1].inverse: The inverse of B.a is "b", not "c". Write "inverse": "c" there or name another inverse here.
  MDL-204
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a"}]},{"name":"B","relationships":[],"attributes":[{"name":"a","type":"string"}]}]}
  1:73: model-bad-inverse: entities[0].relationships[0].inverse: B.a is an attribute, not a relationship.
  MDL-204
  {"entities":[{"name":"A","relationships":[{"name":"c","destination":"C","inverse":"a"}]},{"name":"B","relationships":[{"name":"a","destination":"A"}]},{"name":"C","parent":"B"}]}
  1:73: model-bad-inverse: entities[0].relationships[0].inverse: C inherits "a" from B, and an inverse is declared by the destination itself. Make B the destination.
  MDL-205
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a"}]},{"name":"B","relationships":[{"name":"a","destination":"A"}]}]}
  1:119: model-bad-inverse: entities[1].relationships[0]: A.b names "a" as its inverse, but not the reverse. Add "inverse": "b".
  MDL-209
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","maxCount":3}]}]}
  1:73: model-bad-value: entities[0].relationships[0].maxCount: A to-one relationship has a maximum of 1. Set "toMany" to true or remove it.
  MDL-209
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","toMany":true,"minCount":3,"maxCount":2}]}]}
  1:100: model-bad-value: entities[0].relationships[0].maxCount: The maximum 2 is below the minimum 3.
  MDL-209
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","toMany":true,"minCount":-3}]}]}
  1:87: model-bad-value: entities[0].relationships[0].minCount: A count cannot be negative.
  MDL-211
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","ordered":true}]}]}
  1:73: model-not-applicable: entities[0].relationships[0].ordered: Only a to-many relationship can be ordered. Set "toMany" to true or remove it.
  MDL-212
  {"entities":[{"name":"A","relationships":[{"name":"r","destination":"A","deleteRule":"cascad"}]}]}
  1:73: model-bad-value: entities[0].relationships[0].deleteRule: "cascad" is not one of nullify, cascade, deny, noAction. Did you mean "cascade"?
  MDL-214
  {"entities":[{"name":"A","relationships":[{"name":"b","destination":"B","inverse":"a","transient":true}]},{"name":"B","relationships":[{"name":"a","destination":"A","inverse":"b"}]}]}
  1:73: model-bad-inverse: entities[0].relationships[0].inverse: A transient relationship needs a transient inverse; B.a differs. Set "transient" alike on both sides.
  1:166: model-bad-inverse: entities[1].relationships[0].inverse: A transient relationship needs a transient inverse; A.b differs. Set "transient" alike on both sides.
  MDL-221
  {"entities":[{"name":"A","fetchedProperties":[{"name":"p"}]}]}
  1:47: model-missing-key: entities[0].fetchedProperties[0]: The key "entity" is missing. Add it.
  MDL-223
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"fetchedProperties":[{"name":"p","entity":"A","predicate":"x == $OTHER"}]}]}
  1:116: model-bad-expression: entities[0].fetchedProperties[0].predicate: The fetched property p knows the variables $FETCH_SOURCE and $FETCHED_PROPERTY, not $OTHER.
  MDL-226
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"fetchedProperties":[{"name":"p","entity":"A","predicate":"xx == 1"}]}]}
  1:116: model-unknown-property: entities[0].fetchedProperties[0].predicate: A has no property "xx". (offset 0) Did you mean "x"?
  MDL-226
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"fetchedProperties":[{"name":"p","entity":"A","sort":["-xx"]}]}]}
  1:124: model-unknown-property: entities[0].fetchedProperties[0].sort[0]: A has no property "xx". Did you mean "x"?
  MDL-227
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"relationships":[{"name":"one","destination":"A"}],"fetchedProperties":[{"name":"every","entity":"A"}]}],"fetchRequests":[{"name":"f","entity":"A","predicate":"every.x == 1"}]}
  1:217: model-bad-expression: fetchRequests[0].predicate: "every" is a fetched property and cannot be used in a predicate or sort. (offset 0)
  MDL-239
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"relationships":[{"name":"one","destination":"A"}],"fetchedProperties":[{"name":"all","entity":"A"}]}],"fetchRequests":[{"name":"f","entity":"A","predicate":"x >"}]}
  1:215: model-bad-expression: fetchRequests[0].predicate: The text cannot be read on: expected a value after >, but the text ends. (offset 3)
  MDL-239
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"relationships":[{"name":"one","destination":"A"}],"fetchedProperties":[{"name":"all","entity":"A"}]}],"fetchRequests":[{"name":"f","entity":"A","groupBy":["x"]}]}
  1:215: model-not-applicable: fetchRequests[0].groupBy: "groupBy" has a meaning with "resultType": "dictionaries" only.
  MDL-239
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"relationships":[{"name":"one","destination":"A"}],"fetchedProperties":[{"name":"all","entity":"A"}]}],"fetchRequests":[{"name":"f","entity":"A","limit":-1}]}
  1:215: model-bad-value: fetchRequests[0].limit: This number cannot be negative.
  MDL-239
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"}],"relationships":[{"name":"one","destination":"A"}],"fetchedProperties":[{"name":"all","entity":"A"}]}],"fetchRequests":[{"name":"f","entity":"A","prefetch":["x"]}]}
  1:227: model-unknown-property: fetchRequests[0].prefetch[0]: A has no relationship "x".
  MDL-257
  {"entities":[{"name":"Person"}],"configurations":[{"name":"c","entities":["Person","Persn","Person"]}]}
  1:84: model-unknown-entity: configurations[0].entities[1]: There is no entity "Persn" in the model. Did you mean "Person"?
  1:92: model-duplicate-name: configurations[0].entities[2]: "Person" is already in the configuration.
  MDL-282
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{}]}]}]}
  1:406: model-bad-value: entities[0].indexes[0].elements[0]: An element of an index has either "property" or "expression".
  MDL-282
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[]}]}]}
  1:394: model-bad-value: entities[0].indexes[0].elements: An index needs at least one element.
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"t"}]}]}]}
  1:407: model-not-applicable: entities[0].indexes[0].elements[0].property: "t" is transient and cannot be indexed.
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"many"}]}]}]}
  1:407: model-not-applicable: entities[0].indexes[0].elements[0].property: An index holds stored attributes and to-one relationships of the entity itself.
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"f"}]}]}]}
  1:407: model-not-applicable: entities[0].indexes[0].elements[0].property: A fetched property cannot be indexed.
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"c"}]}]}]}
  1:407: model-not-applicable: entities[0].indexes[0].elements[0].property: A composite is indexed by its elements. Write "c.city".
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"c.town"}]}]}]}
  1:407: model-unknown-property: entities[0].indexes[0].elements[0].property: "c" has no element "town".
  MDL-283
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"ones"}]}]}]}
  1:407: model-unknown-property: entities[0].indexes[0].elements[0].property: A has no property "ones". Did you mean "one"?
  MDL-284
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"expression":"x + $N"}]}]}]}
  1:407: model-bad-expression: entities[0].indexes[0].elements[0].expression: An index cannot have the variable $N. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-284
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"expression":"one.x * 2"}]}]}]}
  1:407: model-bad-expression: entities[0].indexes[0].elements[0].expression: An index cannot have one.x, which is in another row. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-284
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"expression":"many.@count"}]}]}]}
  1:407: model-bad-expression: entities[0].indexes[0].elements[0].expression: An index cannot have a collection operator, which needs other rows. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-284
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"expression":"now()"}]}]}]}
  1:407: model-bad-expression: entities[0].indexes[0].elements[0].expression: An index cannot have now(), which is another moment each time. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-285
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"x","type":"rtree"},{"property":"s"}]}]}]}
  1:394: model-bad-value: entities[0].indexes[0].elements: Elements of type rtree and binary cannot be mixed in one index.
  MDL-285
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"s","type":"rtree"}]}]}]}
  1:407: model-bad-value: entities[0].indexes[0].elements[0].property: Elements of type rtree are numbers; "s" is not.
  MDL-286
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"x"}],"where":"ANY many.x > 1"}]}]}
  1:424: model-bad-expression: entities[0].indexes[0].where: An index cannot have ANY, which needs other rows. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-286
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"s","type":"string"},{"name":"t","type":"string","transient":true},{"name":"c","type":"composite","attributes":[{"name":"city","type":"string"}]}],"relationships":[{"name":"one","destination":"A"},{"name":"many","destination":"A","toMany":true}],"fetchedProperties":[{"name":"f","entity":"A"}],"indexes":[{"name":"i","elements":[{"property":"x"}],"where":"t == nil"}]}]}
  1:424: model-bad-expression: entities[0].indexes[0].where: An index cannot have t, which is transient. Use stored attributes of the entity itself, constants, and functions of these.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[[]]}]}
  1:267: model-bad-value: entities[0].uniquenessConstraints[0]: A uniqueness constraint needs at least one attribute.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[["x","x"]]}]}
  1:272: model-duplicate-name: entities[0].uniquenessConstraints[0][1]: "x" is already in the constraint.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[["xx"]]}]}
  1:268: model-unknown-property: entities[0].uniquenessConstraints[0][0]: A has no attribute "xx". Did you mean "x"?
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[["t"]]}]}
  1:268: model-not-applicable: entities[0].uniquenessConstraints[0][0]: "t" is transient and cannot be unique.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[["d"]]}]}
  1:268: model-not-applicable: entities[0].uniquenessConstraints[0][0]: "d" is derived and cannot be unique.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"transformable"}],"relationships":[{"name":"one","destination":"A"}],"uniquenessConstraints":[["b"]]}]}
  1:275: model-not-applicable: entities[0].uniquenessConstraints[0][0]: "b" is of type transformable and cannot be unique.
  MDL-292
  {"entities":[{"name":"A","attributes":[{"name":"x","type":"double"},{"name":"t","type":"string","transient":true},{"name":"d","type":"double","derivation":"x"},{"name":"b","type":"binary"}],"relationships":[{"name":"one","destination":"A","toMany":true}],"uniquenessConstraints":[["one"]]}]}
  1:282: model-not-applicable: entities[0].uniquenessConstraints[0][0]: A uniqueness constraint holds stored attributes and to-one relationships; "one" is neither.
  """#
