// What @DatabaseFunction says of a function.
import Foundation
import Martlet

@DatabaseFunction func waiting(_ text: String) async -> String { text }
// expected-error@-1 {{Remove 'async': SQLite waits for the answer.}}
// expected-note@-2 {{Remove 'async'}} {{48-53=}}

@DatabaseFunction @MainActor func isolated(_ text: String) -> String { text }
// expected-error@-1 {{Make it 'nonisolated': SQLite calls it on the thread of the statement.}}
// expected-note@-2 {{Make it 'nonisolated'}} {{19-29=nonisolated}}

@DatabaseFunction func generic<T: QueryBindable>(_ value: T) -> Int { 1 }
// expected-error@-1 {{Write the types themselves: SQL calls one function.}}

@DatabaseFunction func variadic(_ numbers: Int...) -> Int { 1 }
// expected-error@-1 {{Write each argument: SQL calls it with as many.}}

@DatabaseFunction func changing(_ number: inout Int) -> Int { 1 }
// expected-error@-1 {{Take a value that a column can hold.}}

@DatabaseFunction func owning(_ texts: consuming [String]) -> Int { 1 }
// expected-error@-1 {{SQL gives it one value. For JSON say so in 'as:': [String].JSONRepresentation.}}

@DatabaseFunction func pairing(_ pair: consuming (Int, Int)) -> Int { 1 }
// expected-error@-1 {{Take a value that a column can hold.}}

@DatabaseFunction func emptying(_ values: consuming some Sequence<Double>) -> Double { 1 }
// expected-error@-1 {{Take a value that a column can hold.}}

@DatabaseFunction func calling(_ body: (Int) -> Int) -> Int { 1 }
// expected-error@-1 {{Take a value that a column can hold.}}

@DatabaseFunction func median(_ values: some Sequence<Double>, _ count: Int) -> Double { 1 }
// expected-error@-1 {{Give the sequence a tuple of what one row brings: `some Sequence<(String, separator:}}

@DatabaseFunction(as: ((Date.UnixTimeRepresentation) -> Bool).self)
func isPast(_ date: Date, _ now: Date) -> Bool { date < now }
// expected-error@-1 {{Write 2 types in 'as:', one for each argument of 'isPast'.}}

@DatabaseFunction(as: Texts.self) func typed(_ text: String) -> String { text }
// expected-error@-1 {{Write the types as a function's: `as: (([String].JSONRepresentation) -> Bool).self`.}}

@DatabaseFunction(functionName) func named(_ text: String) -> String { text }
// expected-error@-1 {{Write the function's name as a plain text.}}

struct Counter {
  var count = 0
  @DatabaseFunction mutating func next() -> Int { count += 1; return count }
  // expected-error@-1 {{Remove 'mutating': SQL calls the function of a value that stays.}}
}

@DatabaseFunction let stored = 1
// expected-error@-1 {{Compute the property: `var isEnabled: Bool { … }`, or write a function.}}

@DatabaseFunction struct Function {}
// expected-error@-1 {{Write '@DatabaseFunction' above a function or a computed property.}}
// expected-note@-2 {{Remove '@DatabaseFunction'}} {{1-18=}}

func outer() {
  @DatabaseFunction func inner(_ text: String) -> String { text }
  // expected-error@-1 {{Move the function out of the one that holds it, into a file or a type.}}
}

let functionName = "named"
typealias Texts = (String) -> String

@DatabaseFunction func many(_ texts: [String]) -> Int { texts.count }
// expected-error@-1 {{SQL gives it one value. For JSON say so in 'as:': [String].JSONRepresentation.}}

@DatabaseFunction func split(_ text: String) -> [String] { [text] }
// expected-error@-1 {{SQL gives it one value. For JSON say so in 'as:': [String].JSONRepresentation.}}

@DatabaseFunction func longest(_ texts: some Sequence<[String]>) -> Int { 0 }
// expected-error@-1 {{SQL gives it one value. For JSON say so in 'as:': [String].JSONRepresentation.}}

@DatabaseFunction func distance(_ point: (Int, Int)) -> Int { point.0 + point.1 }
// expected-error@-1 {{Take a value that a column can hold.}}

@DatabaseFunction func pair(_ text: String) -> (Int, Int) { (1, 2) }
// expected-error@-1 {{Return a value that a column can hold.}}
