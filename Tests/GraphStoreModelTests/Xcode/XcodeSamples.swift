/// Models of Xcode made by hand.
enum XcodeSamples {
  /// Every element and attribute that the tools write.
  static let everything = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model name="Shop" type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    lastSavedToolsVersion="22522" systemVersion="23C71" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
    macOSVersion="Automatic" iOSVersion="Automatic" usedWithCloudKit="YES" usedWithSwiftData="YES" \
    userDefinedModelVersionIdentifier="7">
        <entity name="Base" representedClassName=".Base" isAbstract="YES" versionHashModifier="b" \
    elementID="OldBase" syncable="YES" coreSpotlightDisplayNameExpression="name" codeGenerationType="class">
            <attribute name="name" attributeType="String" minValueString="1" maxValueString="80" \
    defaultValueString="" regularExpressionString="[^\\n]*" spotlightIndexingEnabled="YES" storedInTruthFile="YES" \
    versionHashModifier="n" elementID="title" syncable="YES">
                <userInfo>
                    <entry key="a&quot;b" value="&lt;c&gt; &amp; d"/>
                    <entry key="z" value=""/>
                </userInfo>
            </attribute>
            <relationship name="owner" optional="YES" maxCount="1" deletionRule="No Action" \
    destinationEntity="Person" inverseName="items" inverseEntity="Person" syncable="YES"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <userInfo>
                <entry key="k" value="v"/>
            </userInfo>
        </entity>
        <entity name="Item" representedClassName="App.Item" parentEntity="Base" codeGenerationType="category">
            <attribute name="amount" attributeType="Decimal" minValueString="0.00" maxValueString="99.99" \
    defaultValueString="0.0" indexed="YES"/>
            <attribute name="count16" attributeType="Integer 16" defaultValueString="-3" usesScalarValueType="YES"/>
            <attribute name="count32" optional="YES" attributeType="Integer 32" usesScalarValueType="NO"/>
            <attribute name="count64" attributeType="Integer 64" defaultValueString="0" usesScalarValueType="YES"/>
            <attribute name="flag" attributeType="Boolean" defaultValueString="YES" usesScalarValueType="YES"/>
            <attribute name="made" attributeType="Date" minDateTimeInterval="0" maxDateTimeInterval="800000000.5" \
    defaultValueString="1970-01-01" defaultDateTimeInterval="-978307200" usesScalarValueType="NO"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" \
    allowsCloudEncryption="YES"/>
            <attribute name="place" optional="YES" attributeType="Composite" compositeAttribute="Place"/>
            <attribute name="ratio" attributeType="Float" defaultValueString="0.5" usesScalarValueType="YES"/>
            <attribute name="scratch" optional="YES" transient="YES" attributeType="Undefined"/>
            <attribute name="searchName" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="canonical:(name)"/>
            <attribute name="size" attributeType="Double" defaultValueString="1.5" usesScalarValueType="YES"/>
            <attribute name="style" optional="YES" attributeType="Transformable" \
    valueTransformerName="NSSecureUnarchiveFromData" customClassName="Style"/>
            <attribute name="uuid" attributeType="UUID" \
    defaultValueString="6F9619FF-8B86-D011-B42D-00C04FC964FF" usesScalarValueType="NO" preserveAfterDeletion="YES"/>
            <attribute name="web" optional="YES" attributeType="URI" defaultValueString="https://example.com/?a=1&amp;b=2"/>
            <relationship name="parts" optional="YES" toMany="YES" minCount="2" maxCount="40" deletionRule="Cascade" \
    ordered="YES" destinationEntity="Item" inverseName="whole" inverseEntity="Item"/>
            <relationship name="whole" optional="YES" minCount="1" maxCount="1" deletionRule="Deny" \
    destinationEntity="Item" inverseName="parts" inverseEntity="Item" indexed="YES"/>
            <fetchedProperty name="alike" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Item" \
    predicateString="name == $FETCH_SOURCE.name" fetchLimit="9"/>
                <userInfo>
                    <entry key="x" value="y"/>
                </userInfo>
            </fetchedProperty>
            <fetchIndex name="byName">
                <fetchIndexElement property="name" type="Binary" order="descending"/>
                <fetchIndexElement expression="lowercase:(name)" expressionType="String" type="Binary" order="ascending"/>
            </fetchIndex>
            <fetchIndex name="bySize" partialIndexPredicateString="size &gt; 1">
                <fetchIndexElement property="size" type="RTree" order="ascending"/>
            </fetchIndex>
            <compoundIndexes>
                <compoundIndex>
                    <index value="flag"/>
                    <index value="made"/>
                </compoundIndex>
            </compoundIndexes>
        </entity>
        <entity name="Person">
            <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" \
    inverseName="owner" inverseEntity="Base"/>
        </entity>
        <composite name="Place">
            <attribute name="latitude" optional="YES" attributeType="Double"/>
            <attribute name="longitude" optional="YES" attributeType="Double" defaultValueString="0.0"/>
        </composite>
        <fetchRequest name="all" entity="Item"/>
        <fetchRequest name="named" entity="Item" predicateString="name BEGINSWITH[cd] $NAME" fetchLimit="10" \
    fetchBatchSize="20" resultType="1" includeSubentities="NO" includePropertyValues="NO" includesPendingChanges="NO" \
    returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
        <configuration name="Cloud" usedWithCloudKit="YES">
            <memberEntity name="Base"/>
            <memberEntity name="Item"/>
        </configuration>
        <elements>
            <element name="Base" positionX="-63" positionY="-18" width="128" height="59"/>
        </elements>
    </model>
    """
}
