// Rows are ordered and grouped by expressions.
import Foundation
import Martlet

struct Unorderable {}

func order() {
  _ = Reminder.order(by: Unorderable())
  // expected-error@-1 {{cannot convert value of type 'Unorderable' to expected argument type}}
  _ = Reminder.order { _ in Unorderable() }
  // expected-error@-1 {{static method 'buildExpression' requires that 'Unorderable' conform to 'QueryExpression'}}
  _ = Reminder.order { ($0.title, Unorderable()) }
  // expected-error@-1 {{type '(String.QueryColumn<Reminder>, Unorderable)' (aka '(TableColumn<Reminder, String>,}}
  _ = Reminder.order(by: \.titel)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  _ = Reminder.order(by: \.isSelected)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'isSelected'}}
  _ = Reminder.order { $0.title.descending() }
  // expected-error@-1 {{value of type 'String.QueryColumn<Reminder>' (aka 'TableColumn<Reminder, String>') has}}
  _ = Reminder.order { $0.title.desc(nulls: .middle) }
  // expected-error@-1 {{type 'OrderingTerm.Nulls?' has no member 'middle'}}
  _ = Reminder.order("title")
  // expected-error@-1 {{missing argument label 'by:' in call}}
  // expected-error@-2 {{cannot convert value of type 'String' to expected argument type '(Reminder.TableColumns)}}
  _ = Reminder.group(by: \.titel)
  // expected-error@-1 {{value of type 'Reminder.TableColumns' has no member 'titel'}}
  _ = Reminder.group(by: Unorderable())
  // expected-error@-1 {{cannot convert value of type 'Unorderable' to expected argument type}}
  _ = Reminder.group(by: \.title).having { $0.title }
  // expected-error@-1 {{A condition is true or false. Compare this with something.}}
  _ = Reminder.page(after: "1", size: 10) { $0.title }
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Reminder'}}
}
