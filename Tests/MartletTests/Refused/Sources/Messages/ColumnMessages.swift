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
