/// How large the schema of a database may be. A schema of this size takes no further object.
package struct SchemaRoom: Sendable, Equatable {
  /// Tables, indexes, views and triggers, those included that SQLite makes for them; 0: the server does not say.
  package var objectsMax: Int
  /// Bytes of their SQL; 0: the server does not say.
  package var bytesMax: Int

  package init(objectsMax: Int, bytesMax: Int) {
    self.objectsMax = objectsMax
    self.bytesMax = bytesMax
  }
}
