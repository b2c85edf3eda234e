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
