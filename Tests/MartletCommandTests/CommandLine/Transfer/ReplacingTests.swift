/// `import --replace` of a table that others refer to, with the built program.
import Foundation
import MartletTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplacingTests {
  let shop: ServedShop

  init() throws {
    shop = try ServedShop(
      making: "create table owner(id integer primary key, name); insert into owner values (1, 'a'), (2, 'b');")
  }

  private func replace(_ text: String = "id,name\n1,x\n2,y\n") throws -> Martlet.Outcome {
    try Martlet.run(["import", shop.url, try shop.file("owner.csv", text), "--table", "OWNER", "--replace"])
  }

  @Test(arguments: ["cascade", "set null", "set default"])
  func `rows of another table neither go nor change with those that are replaced`(action: String) throws {
    let pet = "create table pet(name, owner integer default 2 references owner on delete \(action));"
    try #require(try Martlet.run(["sql", shop.url, pet + "insert into pet values ('Rex', 1)"]).status == 0)
    let run = try replace()
    #expect(run.status == 1, "\(run)")
    #expect(
      run.complaint.contains("pet, which refers to it with ON DELETE \(action.uppercased())")
        && run.complaint.contains("--append") && run.complaint.contains("Nothing was imported."), "\(run.complaint)")
    #expect(try shop.rows("select * from pet, owner where owner = id") == ["Rex,1,1,a"])
    // Nothing refers to the table any more, so nothing can change with it.
    try #require(try Martlet.run(["sql", shop.url, "update pet set owner = null"]).status == 0)
    #expect(try replace().status == 0)
    #expect(try shop.rows("select * from owner") == ["1,x", "2,y"])
  }

  @Test func `a plain key waits for the rows that come back`() throws {
    let pet = "create table pet(name, owner references owner); insert into pet values ('Rex', 1)"
    try #require(try Martlet.run(["sql", shop.url, pet]).status == 0)
    let run = try replace()
    #expect(run.status == 0, "\(run)")
    #expect(try shop.rows("select pet.name, owner.name from pet, owner where owner = id") == ["Rex,x"])
    // A row that does not come back leaves everything as it was.
    let without = try replace("id,name\n2,z\n")
    #expect(without.status == 1 && without.complaint.contains("foreign key"), "\(without)")
    #expect(try shop.rows("select * from owner") == ["1,x", "2,y"])
  }

  @Test func `a table that refers to itself alone is replaced`() throws {
    let tree = "create table tree(id integer primary key, up references tree on delete cascade);"
    try #require(try Martlet.run(["sql", shop.url, tree + "insert into tree values (1, null), (2, 1)"]).status == 0)
    let path = try shop.file("tree.csv", "id,up\n5,\n6,5\n")
    let run = try Martlet.run(["import", shop.url, path, "--table", "tree", "--replace"])
    #expect(run.status == 0, "\(run)")
    #expect(try shop.rows("select count(*), min(id) from tree") == ["2,5"])
  }
}
