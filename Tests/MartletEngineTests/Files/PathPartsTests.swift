import Testing

@testable import MartletEngine

@Suite struct PathPartsTests {
  @Test(arguments: [
    ("d", ".", "d"), ("d/", ".", "d"), ("/d", "/", "d"), ("a/b", "a", "b"), ("a//b//", "a", "b"), ("/a/b", "/a", "b"),
    ("./d", ".", "d"), ("../d", "..", "d"), ("é", ".", "é"), (".", ".", "."), ("/", ".", ""), ("//", ".", ""),
    ("", ".", ""),
  ])
  func `a path has a folder and a name, however short it is`(path: String, folder: String, name: String) {
    #expect(PathParts.folder(of: path) == folder)
    #expect(PathParts.name(of: path) == name)
  }
}
