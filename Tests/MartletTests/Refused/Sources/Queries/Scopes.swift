// What '@Table' makes of 'all', which is a query of the table's own rows.
import Foundation
import Martlet

func scopes() {
  _ = DefaultScope(Reminder.unscoped.where { !$0.isCompleted }.order(by: \.position).limit(3), of: Reminder.self)
  _ = DefaultScope({ (list: UUID) in Reminder.where { $0.remindersListID.eq(list) } }, of: Reminder.self)
  _ = DefaultScope(Reminder.select(\.title), of: Reminder.self)
  // expected-error@-1 {{'all' is the table's default scope: a query of the table's own rows, such as}}
  _ = DefaultScope(Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }, of: Reminder.self)
  // expected-error@-1 {{'all' is the table's default scope: a query of the table's own rows, such as}}
  _ = DefaultScope(RemindersList.where { $0.title.eq("") }, of: Reminder.self)
  // expected-error@-1 {{'all' is the table's default scope: a query of the table's own rows, such as}}
  _ = DefaultScope([Reminder](), of: Reminder.self)
  // expected-error@-1 {{'all' is the table's default scope: a query of the table's own rows, such as}}
}

// A table without the macro says what its default scope is, so that no 'all' of another type is passed over.
struct Handwritten: Table {
  // expected-error@-1 {{type 'Handwritten' does not conform to protocol 'Table'}}
  static let tableName = "handwritten"
  static let all = unscoped.where { $0.id > 1 }.order(by: \.id)
  static var columns: TableColumns { TableColumns() }
  struct TableColumns: TableDefinition {
    typealias QueryValue = Handwritten
    var id: TableColumn<Handwritten, Int> { TableColumn("id") }
    static let allColumns = [ColumnDescription("id", Int.self)]
  }
  var columnFragments: [QueryFragment] { [] }
  init(decoder: inout some QueryDecoder) throws {}
}
