/// How the words of a dot-command are read.
import Testing

@testable import MartletCommand

struct DotCommandTests {
  @Test(arguments: [
    (#".import f.csv "odd ""n""#, #"odd "n"#), (#".import f.csv "odd ""n"""#, #"odd "n""#),
    (".import f.csv 'it''s'", "it's"), (#".import f.csv 'a""b'"#, #"a""b"#), (#".import f.csv '""'"#, #""""#),
    (#".import f.csv a" b"c"#, "a bc"), (#".import f.csv "a b";"#, "a b"),
  ])
  func `a doubled quote within quotes is one`(line: String, table: String) throws {
    #expect(try DotCommand(line) == .importFile(path: "f.csv", table: table))
  }

  @Test func `quotes with nothing between them are an empty word`() throws {
    #expect(try DotCommand(#".nullvalue ''"#) == .nullText(""))
    #expect(try DotCommand(".nullvalue ''''") == .nullText("'"))
  }
}
