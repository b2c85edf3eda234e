// A table of one of several kinds of rows.
import Martlet

@Selection
struct Picture {
  let width: Int
}

@CasePathable @Table
enum Attachment {
  case link(String)
  case picture(Picture)
}
