// What a query selects is what its rows are.
import Foundation
import Martlet

func shapes(_ db: Database) throws {
  let titles: [String] = try Reminder.select(\.id).fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Int]' to type '[String]'}}
  let pairs: [(String, Int)] = try Reminder.select { ($0.id, $0.title) }.fetchAll(db)
  // expected-error@-1 {{type '(Int.QueryColumn<Reminder>, String.QueryColumn<Reminder>)' (aka}}
  let rows: [RemindersList] = try Reminder.all.fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Reminder]' to type '[RemindersList]'}}
  let one: Reminder = try Reminder.find(1).fetchOne(db)
  // expected-error@-1 {{value of optional type 'Reminder?' must be unwrapped to a value of type 'Reminder'}}
  let count: String = try Reminder.fetchCount(db)
  // expected-error@-1 {{cannot convert value of type 'Int' to specified type 'String'}}
  let selected: [Row] = try Reminder.select(\.title).fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[String]' to type '[Row]'}}
  _ = Reminder.select { Row.Columns(title: $0.title) }
  _ = Reminder.select { Row.Columns(title: $0.position, list: $0.title) }
  // expected-error@-1 {{initializer 'init(title:list:)' requires the types 'TableColumn<Reminder,}}
  // expected-error@-2 {{initializer 'init(title:list:)' requires the types 'TableColumn<Reminder,}}
  _ = Reminder.select { Row.Columns(titel: $0.title, list: nil) }
  // expected-error@-1 {{generic parameter 'some MartletQuery.QueryExpression<String?>' could not be inferred}}
  // expected-error@-2 {{incorrect argument label in call (have 'titel:list:', expected 'title:list:')}}
  _ = Reminder.select { Row(title: $0.title, list: nil) }
  // expected-error@-1 {{cannot convert value of type 'String.QueryColumn<Reminder>' (aka 'TableColumn<Reminder,}}
  _ = Reminder.select { (first: $0.title, second: $0.id) }
  // expected-error@-1 {{type '(first: String.QueryColumn<Reminder>, second: Int.QueryColumn<Reminder>)' (aka}}
  let statement: any MartletQuery.Statement<String> = Reminder.select(\.id)
  // expected-error@-1 {{cannot convert value of type 'TableColumn<Reminder, Int>.QueryValue' (aka 'Int') to}}
  _ = try Reminder.delete().fetchAll(db)
  // expected-error@-1 {{This statement gives no rows. Add 'returning', or run it with 'execute'.}}
  _ = try Reminder.insert { Reminder.Draft(remindersListID: UUID()) }.fetchOne(db)
  // expected-error@-1 {{This statement gives no rows. Add 'returning', or run it with 'execute'.}}
  let ids: [String] = try Reminder.delete().returning(\.id).fetchAll(db)
  // expected-error@-1 {{cannot assign value of type '[Int]' to type '[String]'}}
  _ = (titles, pairs, rows, one, count, selected, statement, ids)
}
