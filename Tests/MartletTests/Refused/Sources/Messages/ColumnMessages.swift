// What @Column and its like say of a property.
import Foundation
import Martlet

@Table struct EmptyName {
  let id: Int
  @Column("") var title: String
  // expected-error@-1 {{Write the column's name between the quotes, or nothing at all.}}
  // expected-note@-2 {{Remove the quotes}} {{3-14=@Column}}
}

@Table struct EmptyNameOfKey {
  @Column("", primaryKey: true) let code: String
  // expected-error@-1 {{Write the column's name between the quotes, or nothing at all.}}
}

@Table struct ComputedName {
  let id: Int
  @Column(columnName) var title: String
  // expected-error@-1 {{Write the column's name as a plain text: "is_completed".}}
}

@Table struct ComputedRepresentation {
  let id: Int
  @Column(as: representation) var date: Date
  // expected-error@-1 {{Write the representation as a type: `as: Date.UnixTimeRepresentation.self`.}}
}

@Table struct ComputedFlag {
  let id: Int
  @Column(primaryKey: isKey) var title: String
  // expected-error@-1 {{Write `primaryKey: true` or `primaryKey: false`: the macro cannot compute it.}}
}

@Table struct ComputedLaziness {
  let id: Int
  @Column(lazyInitializable: isKey) var title: String
  // expected-error@-1 {{Write `lazyInitializable: true` or `lazyInitializable: false`: the macro cannot compute}}
}

@Column("title") struct Misplaced {}
// expected-error@-1 {{Write '@Column' above a property of a '@Table' or '@Selection' type.}}
// expected-note@-2 {{Remove '@Column'}} {{1-17=}}

@CasePathable struct Cases {}
// expected-error@-1 {{Write '@CasePathable' above an enum.}}
// expected-note@-2 {{Remove '@CasePathable'}} {{1-14=}}

@Ephemeral func ephemeral() {}
// expected-error@-1 {{Write '@Ephemeral' above a property of a '@Table' or '@Selection' type.}}
// expected-note@-2 {{Remove '@Ephemeral'}} {{1-11=}}

struct Methods {
  @Columns func columns() {}
  // expected-error@-1 {{Write '@Columns' above a property of a '@Table' or '@Selection' type.}}
  // expected-note@-2 {{Remove '@Columns'}} {{3-11=}}
}

let columnName = "title"
let representation = Date.UnixTimeRepresentation.self
let isKey = true

@Table struct Collections {
  let id: Int
  var tags: [String] = []
  // expected-error@-1 {{A column is one value. For JSON write '@Column(as: [String].JSONRepresentation.self)'}}
  // expected-note@-2 {{Write '@Column(as: [String].JSONRepresentation.self)'}}
  var counts: [String: Int]?
  // expected-error@-1 {{A column is one value. For JSON write '@Column(as: [String: Int]?.JSONRepresentation}}
  // expected-note@-2 {{Write '@Column(as: [String: Int]?.JSONRepresentation.self)'}}
  @Column("a") var b: [D]
  // expected-error@-1 {{A column is one value. For JSON write '@Column(as: [D].JSONRepresentation.self)' above 'b'.}}
  var bytes: [UInt8] = []
  struct D: Codable {}
}

@Table struct Failable {
  let id: Int
  var count = Int("5")
  // expected-error@-1 {{Write the type of 'count', which may be nil: `var count: Int?`.}}
  // expected-note@-2 {{Write the type of 'count'}} {{7-12=count: Int?}}
  var big = (Int64.init("5", radix: 16))
  // expected-error@-1 {{Write the type of 'big', which may be nil: `var big: Int64?`.}}
  // expected-note@-2 {{Write the type of 'big'}} {{7-10=big: Int64?}}
  var exact = Double(exactly: 5)
  // expected-error@-1 {{Write the type of 'exact', which may be nil: `var exact: Double?`.}}
  // expected-note@-2 {{Write the type of 'exact'}} {{7-12=exact: Double?}}
  var link = URL(string: "https://example.com")
  // expected-error@-1 {{Write the type of 'link', which may be nil: `var link: URL?`.}}
  // expected-note@-2 {{Write the type of 'link'}} {{7-11=link: URL?}}
  var key = Foundation.UUID(uuidString: "")
  // expected-error@-1 {{Write the type of 'key', which may be nil: `var key: Foundation.UUID?`.}}
  // expected-note@-2 {{Write the type of 'key'}} {{7-10=key: Foundation.UUID?}}
  var chosen = if isKey { 1 } else { 2 }
  // expected-error@-1 {{Write the type of 'chosen': `var chosen: <#Type#>`.}}
  // expected-note@-2 {{Write the type of 'chosen'}} {{7-13=chosen: <#Type#>}}
  static let parsed = Int("5")
  var copied = Self.parsed
  // expected-error@-1 {{Write the type of 'copied': `var copied: <#Type#>`.}}
  // expected-note@-2 {{Write the type of 'copied'}} {{7-13=copied: <#Type#>}}
}
