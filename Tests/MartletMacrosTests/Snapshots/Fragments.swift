// SQL in the middle of a query, and a value that is bound.
import Martlet

let sum = #sql("abs(\(bind: 1)) + 2", as: Int.self)
let accent = #sql("'́' || '‍'", as: String.self)
let bound = #bind(3, as: Int.self)
