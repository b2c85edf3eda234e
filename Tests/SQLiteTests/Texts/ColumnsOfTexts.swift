import Foundation
import SQLite

// The columns that the tables of texts use.
let bool = Expression<Bool>("bool")
let boolOptional = Expression<Bool?>("boolOptional")
let blob = Expression<Blob>("blob")
let blobOptional = Expression<Blob?>("blobOptional")
let date = Expression<Date>("date")
let double = Expression<Double>("double")
let doubleOptional = Expression<Double?>("doubleOptional")
let int = Expression<Int>("int")
let intOptional = Expression<Int?>("intOptional")
let int64 = Expression<Int64>("int64")
let int64Optional = Expression<Int64?>("int64Optional")
let string = Expression<String>("string")
let stringOptional = Expression<String?>("stringOptional")

let table = Table("table")
let users = Table("users")
let posts = Table("posts")
let id = Expression<Int64>("id")
let email = Expression<String>("email")
let name = Expression<String?>("name")
let age = Expression<Int?>("age")
let admin = Expression<Bool>("admin")
let managerId = Expression<Int64?>("manager_id")
let userId = Expression<Int64>("user_id")
let published = Expression<Bool>("published")

/// A text, and what prints it.
typealias PrintedText = (text: String, expression: any Expressible)
