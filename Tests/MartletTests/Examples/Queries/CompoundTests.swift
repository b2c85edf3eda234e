/// 002 "Compound Selects (UNION, INTERSECT, EXCEPT)".
///
/// Always true: the customers of `Sales` have the mails a, b and a; its suppliers b and c.
import Foundation
import Martlet
import Testing

private typealias Customer = Sales.Customer
private typealias Supplier = Sales.Supplier

@Suite struct CompoundSeedTests {
  @Test(arguments: DatabaseHome.allCases)
  func `queries combine to one`(home: DatabaseHome) throws {
    try home.open(Sales.script).read { db in
      // UNION — combine results, remove duplicates
      let allContacts = try Customer.select(\.email)
        .union(Supplier.select(\.email))
        .fetchAll(db)
      same(allContacts, ["a@x", "b@x", "c@x"])

      // UNION ALL — combine results, keep duplicates
      let allEmails = try Customer.select(\.email)
        .union(all: true, Supplier.select(\.email))
        .fetchAll(db)
      same(allEmails, ["a@x", "b@x", "a@x", "b@x", "c@x"])

      // INTERSECT — only rows in both queries
      let sharedEmails = try Customer.select(\.email)
        .intersect(Supplier.select(\.email))
        .fetchAll(db)
      same(sharedEmails, ["b@x"])

      // EXCEPT — rows in first but not second
      let customerOnlyEmails = try Customer.select(\.email)
        .except(Supplier.select(\.email))
        .fetchAll(db)
      same(customerOnlyEmails, ["a@x"])
    }
  }
}
