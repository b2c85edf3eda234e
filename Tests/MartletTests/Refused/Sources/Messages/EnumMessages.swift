// What @Selection says of an enum.
import Foundation
import Martlet

@Selection enum NoCases {
  // expected-error@-1 {{Give 'NoCases' at least one case with a value: each is a column.}}
}

@Selection enum NoValue {
  case link(URL)
  case none
  // expected-error@-1 {{Give the case 'none' a value, which is its column: `case none(Bool)`.}}
  // expected-note@-2 {{Give it a 'Bool'}} {{8-12=none(Bool)}}
}

@Selection enum TwoValues {
  case link(URL)
  case image(URL, caption: String)
  // expected-error@-1 {{Put the values of 'image' into one '@Selection struct': a case has one value.}}
}

@Selection enum Collected {
  case link(URL)
  case t([Int])
  // expected-error@-1 {{A column is one value. For JSON write '@Column(as: [Int].JSONRepresentation.self)' above 't'.}}
  // expected-note@-2 {{Write '@Column(as: [Int]}} {{3-7=@Column(as: [Int].JSONRepresentation.self) case}}
  case names(Array<String>?), counts([String: Int])
  // expected-error@-1 {{For JSON write '@Column(as: Array<String>?.JSONRepresentation.self)' above 'names'.}}
  // expected-error@-2 {{For JSON write '@Column(as: [String: Int].JSONRepresentation.self)' above 'counts'.}}
}

@Selection enum NoColumns {
  case link(URL)
  case point((Int, Int))
  // expected-error@-1 {{A tuple cannot be stored in a column. Give 'point' a value, or a '@Selection' struct.}}
  case call(() -> Void)
  // expected-error@-1 {{A function cannot be stored in a column. Give 'call' a value, or a '@Selection' struct.}}
}

@Selection enum Endless {
  case leaf(Int)
  indirect case branch(Endless)
  // expected-error@-1 {{Give 'branch' another value: a row has no end of columns.}}
}

extension Endless {
  @Selection private enum Hidden {
    // expected-error@-1 {{Make 'Hidden' 'fileprivate': the extension that the macro writes does not see it.}}
    // expected-note@-2 {{Make it 'fileprivate'}} {{14-21=fileprivate}}
    case number(Int)
  }
}
