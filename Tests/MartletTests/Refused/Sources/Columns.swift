// A table has the columns of its stored properties and no others.
import Foundation
import Martlet

func columns(_ db: Database) throws {
  _ = Reminder.where { $0.titel.eq("Milk") }
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  _ = Reminder.where(\.isComplete)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'isComplete'}}
  _ = Reminder.select(\.titel)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  _ = Reminder.select { ($0.title, $0.titel) }
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  _ = Reminder.where { $0.isSelected }
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'isSelected'}}
  _ = Reminder.select(\.isSelected)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'isSelected'}}
  _ = Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.reminderID) }
  // expected-error@-1 {{value of type 'RemindersList.TableColumns' has no member 'reminderID'}}
  _ = Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }.select { ($0.title, $1.titel) }
  // expected-error@-1 {{has no dynamic member 'titel'}}
  _ = Attachment.where { $0.kind.image.isNot(nil) }
  // expected-error@-1 {{generic parameter 'Value' could not be inferred}}
  // expected-error@-2 {{has no dynamic member 'image'}}
  _ = Attachment.where { $0.kind.note.eq(1) }
  // expected-error@-1 {{instance method 'eq' requires the types 'Optional<String>.QueryUnwrapped' (aka 'String')}}
  _ = Attachment.where { $0.timestamps.deletedAt.is(nil) }
  // expected-error@-1 {{has no dynamic member 'deletedAt'}}
  // expected-error@-2 {{generic parameter 'Value' could not be inferred}}
  _ = Attachment.select { Attachment.Kind.Columns.note($0.id) }
  // expected-error@-1 {{static method 'note' requires the types 'TableColumn<Attachment, Int>.QueryValue' (aka}}
  _ = Reminder.incomplete.nonsense()
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.incomplete.nonsense
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.incomplete.before(.now)
  // expected-error@-1 {{dynamic key path member lookup cannot refer to static method 'before'}}
  // expected-error@-2 {{subscript 'subscript(dynamicMember:)' requires the types 'Reminder' and '(@Sendable}}
  // expected-error@-3 {{type '@Sendable (Date) -> Where<Reminder>' cannot conform to 'TableScope'}}
  _ = Reminder.nonsense
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.byPosition.nonsense()
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.incomplete.wher { $0.isCompleted }
  // expected-error@-1 {{type 'Reminder' has no member 'wher'}}
  _ = try Reminder.incomplete.nonsense().fetchAll(db)
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = try Reminder.incomplete.nonsense.fetchAll(db)
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.incomplete.byPosition.nonsense()
  // expected-error@-1 {{type 'Reminder' has no member 'nonsense'}}
  _ = Reminder.Draft.all.nonsense()
  // expected-error@-1 {{type 'Reminder.Draft.PrimaryTable' (aka 'Reminder') has no member 'nonsense'}}
}

enum Other: AliasName {}

// Each of these stopped a compiler of version 6.3 with a failed assertion, or might.
func methods() {
  let left = Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
  _ = left.select { $1.nonsense() }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  // expected-error@-2 {{generic parameter 'Group' could not be inferred}}
  _ = left.where { $1.nonsense().eq(1) }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  // expected-error@-2 {{missing argument for parameter #1 in call}}
  _ = left.order { $1.nonsense() }
  // expected-error@-1 {{generic parameter 'Group' could not be inferred}}
  // expected-error@-2 {{has no dynamic member 'nonsense'}}
  _ = Reminder.as(Other.self).select { $0.nonsense() }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  // expected-error@-2 {{generic parameter 'Group' could not be inferred}}
  _ = Attachment.select { $0.timestamps.nonsense() }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  // expected-error@-2 {{generic parameter 'Inner' could not be inferred}}
  _ = Attachment.select { $0.nonsense() }
  // expected-error@-1 {{value of type 'Attachment.TableColumns' has no member 'nonsense'}}
  _ = Attachment.update { $0.timestamps.nonsense() }
  // expected-error@-1 {{reference to member 'nonsense' cannot be resolved without a contextual type}}
  _ = Reminder.update { $0.nonsense() }
  // expected-error@-1 {{has no dynamic member 'nonsense'}}
  // expected-error@-2 {{generic parameter 'Value' could not be inferred}}
}

// A closure that gives no column is none, and does not mean every column.
func nothing() {
  _ = Reminder.select { _ in }
  // expected-error@-1 {{type '()' cannot conform to 'QueryExpression'}}
  // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
  _ = Reminder.where(\.isCompleted).select { _ in }
  // expected-error@-1 {{type '()' cannot conform to 'QueryExpression'}}
  // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
  _ = Reminder.order(by: \.title).select { _ in }
  // expected-error@-1 {{type '()' cannot conform to 'QueryExpression'}}
  // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
  _ = Reminder.select(\.id).select { _ in }
  // expected-error@-1 {{type '()' cannot conform to 'QueryExpression'}}
  // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
  _ = Reminder.select { ($0.id, $0.title) }.select { _ in }
  // expected-error@-1 {{type '()' cannot conform to 'QueryExpression'}}
  // expected-note@-2 {{only concrete types such as structs, enums and classes can conform to protocols}}
}

// Several columns are one tuple, and no statements one below the other.
func columnsWithoutParentheses() {
  _ = Reminder.select {
    $0.id; $0.title
  }
  // expected-error@-3 {{Say one expression}}
  _ = Reminder.all.select {
    $0.id; $0.title
  }
  // expected-error@-3 {{Say one expression}}
  _ = Reminder.join(RemindersList.all) {
    $0.remindersListID.eq($1.id); $0.title.eq($1.title)
  }
  // expected-error@-3 {{Say one expression}}
}
