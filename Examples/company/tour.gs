# A script over Models/company.json, for a store that holds company.ndjson and nothing else:
#
#   graphstore init hr.db --model Models/company.json
#   graphstore import --all Examples/company/company.ndjson --store hr.db
#   graphstore run Examples/company/tour.gs --store hr.db
#
# The whole script is one transaction: the first statement that fails undoes all of it.

# Who earns more than 75,000?
fetch Employee where salary > 75000 --sort -salary --fields name,salary,department.name

# Who manages somebody who earns more than 75,000?
fetch Employee where ANY reports.salary > 75000 --fields name,reports.@count

# A department and its first two people, in one save.
.begin
insert Department name=Research
insert Employee name="Emmy Noether" salary=77000 badge=30 department?='name == "Research"'
update Employee department?='name == "Research"' where name == "Alan Turing"
.commit
fetch Department --sort name --fields name,employees.@count

# Nullify: whoever goes leaves the projects, which stay.
delete Employee where name == "José Peña"
fetch Project where title == "Price list" --fields title,members.@count

# Cascade: a department takes its employees with it.
delete Department where name == "Support"
count Employee
