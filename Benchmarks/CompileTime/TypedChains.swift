import SQLite

/// Two expressions as long as programs write them, whose times `scripts/bench-compile` prints by the functions' names.
let a = SQLite.Expression<Int64>("a")
let b = SQLite.Expression<Int64>("b")

func filtersInAChain() -> Table {
  Table("numbers")
    .filter(a == b).filter(a == b).filter(a == b).filter(a == b).filter(a == b)
    .filter(a == b).filter(a == b).filter(a == b).filter(a == b).filter(a == b)
    .filter(a == b).filter(a == b).filter(a == b).filter(a == b).filter(a == b)
    .filter(a == b).filter(a == b).filter(a == b).filter(a == b).filter(a == b)
    .filter(a == b).filter(a == b).filter(a == b).filter(a == b).filter(a == b)
}

func settersInACall() -> Update {
  Table("numbers").update(
    a <- 1, b <- 2, a <- b, b <- a, a <- a + b,
    b <- b * 2, a += 1, b -= 1, a <- b, b <- a,
    a <- 1, b <- 2, a <- b, b <- a, a <- a + b,
    b <- b * 2, a += 1, b -= 1, a <- b, b <- a
  )
}
