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

  @Test(arguments: [
    (".exit abc", "An exit status is a number from 0 to 255, and abc is none."),
    (".quit 300", "An exit status is a number from 0 to 255, and 300 is none."),
    (".exit 1 2", ".exit takes [STATUS]; .help lists the commands."),
    (".open", ".open takes DATABASE; .help lists the commands."),
  ])
  func `a mistake is told with what was typed`(line: String, words: String) {
    #expect(throws: DotCommand.Failure(description: words)) { try DotCommand(line) }
  }

  @Test func `quotes with nothing between them are an empty word`() throws {
    #expect(try DotCommand(#".nullvalue ''"#) == .nullText(""))
    #expect(try DotCommand(".nullvalue ''''") == .nullText("'"))
  }
}
