// A document has the members of its type, and a column that is no document has none.
import Foundation
import Martlet

@Selection struct Author: Codable {
  var name = ""
  @Column(as: [Link].JSONRepresentation.self) var links: [Link] = []
}

@Selection struct Link: Codable {
  var title = ""
}

@Table struct Page {
  let id: Int
  var title = ""
  @Column(as: Author.JSONRepresentation.self) var author: Author
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
}

func documents() {
  _ = Page.select { $0.author.jsonExtract(\.links[0].title) }
  _ = Page.select { $0.title.jsonExtract(\.name) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.id.jsonExtract(\.name) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.tags.jsonExtract(\.name) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonExtract(\.nam) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonExtract(\.links[0].titel) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonExtract(\.name[0]) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.where { $0.author.jsonMember(\.nam).is(nil) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonArrayLength(\.link) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonSet(\.nam, "x") }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.select { $0.author.jsonRemove(\.nam) }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.update { $0.author[\.nam] = "x" }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.update { $0.title[\.nam] = "x" }
  // expected-error@-1 {{No such member: a document has the columns of its '@Table' or '@Selection'.}}
  _ = Page.where { $0.author.name.eq("Blob") }
  // expected-warning@-1 {{This is the column's name. A document's member is}}
  let name: String = Page.columns.title.name
  _ = name
}
