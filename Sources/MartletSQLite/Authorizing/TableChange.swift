/// Which tables a statement makes or alters, as far as is known before it runs.
enum TableChange: Equatable {
  case of(String)
  /// Any: a virtual table has tables of its own, and another name of one table can matter to others.
  case ofAny
}
