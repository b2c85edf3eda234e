/// What is shown of a schema, and which table a person means.
import Testing

@testable import MartletCommand

struct SchemaListingTests {
  private static let entries = ["Album", "main.odd"].map {
    SchemaListing.Entry(type: "table", name: $0, table: $0, sql: "CREATE TABLE x(a)")
  }

  @Test func `the schema's own table has a statement under both of its names`() {
    for name in ["sqlite_schema", "SQLITE_MASTER"] {
      let text = SchemaListing.schema(Self.entries, table: name)
      let beginning = "CREATE TABLE \(name.lowercased())(type TEXT, name TEXT, "
      #expect(text.hasPrefix(beginning) && text.hasSuffix(");\n"), "\(text)")
    }
  }

  @Test(arguments: [
    ("Album", "Album"), ("main.Album", "Album"), ("PUBLIC.album", "album"), ("main.%", "%"), ("%.%", "%"),
    ("main.odd", "main.odd"), ("other.Album", "other.Album"), ("main.", "main."),
  ])
  func `the schema before a table's name is none of it, unless a table is called so`(typed: String, meant: String) {
    #expect(SchemaListing.meant(by: typed, Self.entries) == meant)
  }
}
