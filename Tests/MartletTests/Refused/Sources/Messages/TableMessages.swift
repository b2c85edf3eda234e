// What @Table and @Selection say of a type.
import Foundation
import Martlet

@Table class Account {
  // expected-note@-1 {{Make it a 'struct'}} {{8-13=struct}}
  // expected-error@-2 {{A table is a struct: its rows are values. Write 'struct' here.}}
  let id = 1
}

@Table enum Level {
  case high
  // expected-error@-1 {{Give the case 'high' a value, which is its column: `case high(Bool)`.}}
  // expected-note@-2 {{Give it a 'Bool'}} {{8-12=high(Bool)}}
}

@Selection class Summary {
  // expected-error@-1 {{A selection is a struct or an enum: its rows are values. Write 'struct' here.}}
  // expected-note@-2 {{Make it a 'struct'}} {{12-17=struct}}
  let count = 1
}

@Selection actor Total {
  // expected-error@-1 {{A selection is a struct or an enum: its rows are values. Write 'struct' here.}}
  // expected-note@-2 {{Make it a 'struct'}} {{12-17=struct}}
  let count = 1
}

@Table struct Empty {
  // expected-error@-1 {{Give 'Empty' at least one stored property: each is a column.}}
}

@Table(name) struct Named {
  // expected-error@-1 {{Write the name as a plain text: @Table("remindersLists").}}
  let id: Int
}

@Table(schema: name) struct InNoSchema {
  // expected-error@-1 {{Write the name as a plain text: @Table("remindersLists").}}
  let id: Int
}

@Table("") struct Unnamed {
  // expected-error@-1 {{Write the name as a plain text: @Table("remindersLists").}}
  let id: Int
}

@Table struct Latest {
  static let all = unscoped.where { row in
    row.version.eq(Self.where { $0.id.eq(row.id) }.select { $0.version.max() })
    // expected-error@-1 {{The default scope would read itself here. Write 'Self.unscoped' wherever 'all' reads the}}
  }
  let id: Int
  var version: Int
}

@Table struct Newest {
  static var all: Where<Newest> {
    unscoped.where { $0.id.in(Newest.as(Copy.self).select(\.id)) }
    // expected-error@-1 {{The default scope would read itself here. Write 'Newest.unscoped' wherever 'all' reads the}}
  }
  enum Copy: AliasName {}
  let id: Int
}

@Table struct Doubled {
  // expected-error@-1 {{Two columns are called 'title'. Give one of them another name with '@Column("name")'.}}
  var title: String
  @Column("title") var name: String
}

@Table struct TwoKeys {
  let id: Int
  @Column(primaryKey: true) let code: String
  // expected-error@-1 {{'id' is the key by its name. Write '@Column(primaryKey: false)' above it, or remove}}
}

@Table struct ThreeKeys {
  @Column(primaryKey: true) let code: String
  // expected-error@-1 {{Put 'code' and 'number' into one '@Selection struct' and make that the key: `let id: ID`.}}
  @Column(primaryKey: true) let number: Int
}

// They are tables all the same: nothing more is said of what uses them.
private func useKeys() -> (Where<TwoKeys>, InsertOf<TwoKeys>, Where<ThreeKeys>) {
  (TwoKeys.find(1), TwoKeys.insert { TwoKeys.Draft(code: "a") }, ThreeKeys.where { $0.number > 1 })
}

@Table struct WithoutType {
  let id: Int
  var title = makeTitle()
  // expected-error@-1 {{Write the type of 'title': `var title: <#Type#>`.}}
  // expected-note@-2 {{Write the type of 'title'}} {{7-12=title: <#Type#>}}
}

@Table struct Pattern {
  let id: Int
  var (x, y) = (1, 2)
  // expected-error@-1 {{Declare each column by itself: `var title: String`.}}
}

@Table struct Constant {
  // expected-error@-1 {{Give 'Constant' at least one stored property: each is a column.}}
  let id = 1
  // expected-error@-1 {{'id' would never be read from a row: a `let` keeps its value. Make it a `var`.}}
  // expected-note@-2 {{Make it a `var`}} {{3-6=var}}
}

@Table struct Functional {
  let id: Int
  var onChange: () -> Void
  // expected-error@-1 {{A function cannot be stored in a column. Mark 'onChange' with '@Ephemeral'.}}
  // expected-note@-2 {{Write '@Ephemeral'}} {{3-6=@Ephemeral var}}
}

@Table struct Tupled {
  let id: Int
  var point: (Int, Int)
  // expected-error@-1 {{A tuple cannot be stored in a column. Make 'point' a '@Selection' struct.}}
}

@Table struct Computed {
  let id: Int
  @Column("name") var title: String { "" }
  // expected-error@-1 {{A computed property is no column. Remove '@Column', or store the property.}}
  // expected-note@-2 {{Remove '@Column'}} {{3-18=}}
}

@Table struct Lazy {
  let id: Int
  @Column("name") lazy var title = ""
  // expected-error@-1 {{A computed property is no column. Remove '@Column', or store the property.}}
  // expected-note@-2 {{Remove '@Column'}} {{3-18=}}
}

@Table struct Passing {
  let id: Int
  @Ephemeral var isSelected: Bool
  // expected-error@-1 {{Give 'isSelected' a value: no row brings one for an '@Ephemeral' property.}}
  // expected-note@-2 {{Give 'isSelected' a value}} {{18-34=isSelected: Bool = <#value#>}}
}

@Table struct QueryColumn {
  // expected-error@-1 {{Call the type something else: every table has a type 'QueryColumn' of its own.}}
  let id: Int
}

@Table struct Hiding {
  // expected-error@-1 {{Rename the property below '@Column("Draft")': every table has a 'Draft' of its own.}}
  let id: Int
  var Draft: String
}

@Table struct Shadowing {
  // expected-error@-1 {{Begin 'URL' with a small letter: within the table it hides the type of that name.}}
  let id: Int
  var URL: URL
}

@Table struct Chained {
  let id: Int
  var first = [Int?]().first
  // expected-error@-1 {{Write the type of 'first': `var first: <#Type#>`.}}
  // expected-note@-2 {{Write the type of 'first'}} {{7-12=first: <#Type#>}}
  var text = UUID().uuidString
  // expected-error@-1 {{Write the type of 'text': `var text: <#Type#>`.}}
  // expected-note@-2 {{Write the type of 'text'}} {{7-11=text: <#Type#>}}
}

@Table struct Boxed<Value: QueryBindable> {
  // expected-error@-1 {{Write 'where Value.QueryOutput == Value' before the brace: a column gives values of}}
  let id: Int
  var value: Value
}

struct Outside {
  @Table private struct Hidden {
    // expected-error@-1 {{Make 'Hidden' 'fileprivate': the extension that the macro writes does not see it.}}
    // expected-note@-2 {{Make it 'fileprivate'}} {{10-17=fileprivate}}
    let id: Int
  }
  private struct Between {
    @Selection struct Within {
      // expected-error@-1 {{Make 'Between' 'fileprivate': the extension that the macro writes does not see it.}}
      let id: Int
    }
  }
}

func local() {
  @Table struct Passed {
    // expected-error@-1 {{Move 'Passed' out of the function, into a file or a type: a local type cannot conform}}
    // expected-error@-2 {{local type cannot have attached extension macro}}
    let id: Int
  }
}

func makeTitle() -> String { "" }
let name = "names"
