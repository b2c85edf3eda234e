/// Names of tables.
import Testing

@testable import MartletMacros

@Suite struct PluralTests {
  @Test(arguments: [
    ("Reminder", "reminders"), ("RemindersList", "remindersLists"), ("Category", "categories"), ("Day", "days"),
    ("Person", "people"), ("SalesPerson", "salesPeople"), ("Child", "children"), ("Bus", "buses"), ("Box", "boxes"),
    ("Match", "matches"), ("Dish", "dishes"), ("Status", "statuses"), ("Address", "addresses"), ("Class", "classes"),
    ("Analysis", "analyses"), ("Quiz", "quizzes"), ("Hero", "heroes"), ("Photo", "photos"), ("Leaf", "leaves"),
    ("Knife", "knives"), ("Index", "indexes"), ("Matrix", "matrices"), ("Lens", "lenses"), ("Alias", "aliases"),
    ("Settings", "settings"), ("News", "news"), ("Sheep", "sheep"), ("Metadata", "metadata"),
    ("UserMedia", "userMedia"),
    ("URLSession", "urlSessions"), ("ID", "ids"), ("Tag", "tags"), ("Woman", "women"), ("Foreman", "foremen"),
    ("Human", "humans"), ("German", "germans"), ("Roof", "roofs"), ("Chief", "chiefs"), ("Movie", "movies"),
    ("HTTPResponse", "httpResponses"), ("Medium", "media"), ("Tax", "taxes"), ("Virus", "viruses"),
    ("People", "people"), ("Bookshelf", "bookshelves"), ("Key", "keys"), ("Money", "money"), ("Zoo", "zoos"),
  ])
  func `a type's name in the plural`(type: String, table: String) { #expect(Plural.tableName(of: type) == table) }
}
