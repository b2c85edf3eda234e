// Raw SQL is looked at while it is compiled.
import Foundation
import Martlet

func rawSQL(title: String) {
  _ = #sql("")
  // expected-error@-1 {{Write SQL between the quotes.}}
  _ = #sql("SELECT 'a", as: String.self)
  // expected-error@-1 {{Close this ' with '.}}
  _ = #sql("SELECT \"a", as: String.self)
  // expected-error@-1 {{Close this " with ".}}
  _ = #sql("SELECT `a", as: String.self)
  // expected-error@-1 {{Close this ` with `.}}
  _ = #sql("SELECT [a", as: String.self)
  // expected-error@-1 {{Close this [ with ].}}
  _ = #sql("SELECT a]", as: String.self)
  // expected-error@-1 {{Remove this ], or open it with [.}}
  // expected-note@-2 {{Remove this ]}} {{12-23="SELECT a"}}
  _ = #sql("SELECT (1", as: Int.self)
  // expected-error@-1 {{Close this ( with ).}}
  _ = #sql("SELECT 1)", as: Int.self)
  // expected-note@-1 {{Remove this )}} {{12-23="SELECT 1"}}
  // expected-error@-2 {{Remove this ), or open it with (.}}
  _ = #sql("SELECT 1 /* one", as: Int.self)
  // expected-error@-1 {{Close this comment with */.}}
  _ = #sql("SELECT a FROM b WHERE c = ?", as: String.self)
  // expected-error@-1 {{Write the value itself as \\(value), in the place of this ?.}}
  _ = #sql("SELECT a FROM b WHERE c = :title", as: String.self)
  // expected-error@-1 {{Write the value itself as \\(value), in the place of this :.}}
  _ = #sql("SELECT '?', a$b, \"@c\" FROM t /* :x */ -- $y", as: String.self)
  _ = #sql("SELECT '\(title)'", as: String.self)
  // expected-error@-1 {{Remove the quotes around \\(title): the value is bound, not pasted into the text.}}
  // expected-note@-2 {{Remove the quotes around \\(title)}} {{12-31="SELECT \\(title)"}}
  _ = #sql("SELECT '%\(title)%'", as: String.self)
  // expected-error@-1 {{Write \\(title) outside of the quotes: '%' || \\(title) || '%'. The value is bound, not}}
  _ = #sql("SELECT \"\(title)\"", as: String.self)
  // expected-error@-1 {{Write the name as \\(quote: …), which brings its own quotes, outside of ".}}
  // expected-note@-2 {{Write \\(quote: title)}} {{12-33="SELECT \\(quote: title)"}}
  _ = #sql(title, as: String.self)
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'QueryFragment'}}
  _ = #sql("SELECT \(Unknown())", as: String.self)
  // expected-error@-1 {{instance method 'appendInterpolation' requires that 'Unknown' conform to 'Statement'}}
  _ = Reminder.join(RemindersList.all) { #sql("\($0.remindersListID) = \($1.id)") }
  // expected-error@-1 {{type 'Void' cannot conform to 'QueryRepresentable'}}
  _ = Reminder.join(RemindersList.all) { #sql("\($0.remindersListID) = \($1.id)", as: Bool.self) }
}

struct Unknown {}
