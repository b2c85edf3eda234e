import Bookshelf
// Functions of SQL, and rows that hold rows.
import Martlet

@DatabaseFunction func double(_ number: Int) -> Int { number * 2 }
@DatabaseFunction func isLong(book: Book) -> Bool { book.title.count > 10 }
@DatabaseFunction func longest(_ titles: some Sequence<String>) -> String? { titles.max { $0.count < $1.count } }

@Selection struct Pair {
  var book: Book
  var shelf: Shelf?
}

@Selection struct Tally {
  let title: String
  let count: Int
}

@Selection enum Answer {
  case number(Int)
  case row(Tally)
}
