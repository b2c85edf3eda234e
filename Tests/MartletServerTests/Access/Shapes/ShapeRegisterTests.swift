/// Which shapes stand in the files of roles, alone and together.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct ShapeRegisterTests {
  private static func shape(_ number: UInt8) -> ShapeID { [number].withUnsafeBytes { ShapeID(hashing: $0) } }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file with the shape of its number.
  private func file(_ number: UInt8) throws -> String {
    let path = folder.path + "/\(number).shapes"
    var list = ShapeList()
    list.add(Self.shape(number), note: "")
    _ = try ShapeFile(path: path).register(list)
    return path
  }

  private func role(_ files: [[String]]) -> Role {
    let databases = ["shop"].compactMap { DatabasePattern($0) }
    return Role(
      name: "app", grants: files.map { Grant(databases: databases, permissions: .select, shapeFiles: $0) })
  }

  @Test func `what grants allow together is made when the files are read, and is the same at every question`() throws {
    let paths = try [2, 1, 3].map { try file($0) }
    for files in [[[paths[0]], [paths[1]]], [[paths[0]], [paths[1], paths[2]]], paths.map { [$0] }] {
      let role = role(files)
      let register = try ShapeRegister([role])
      let named = try #require(role.grant(in: "shop")?.shapeFiles)
      let shapes = try #require(register.shapes(of: named))
      #expect(register.shapes(of: named) === shapes, "\(files)")
      #expect(shapes.shapes.count == Set(files.joined()).count && shapes.contains(Self.shape(2)), "\(files)")
    }
  }

  @Test func `many lists are not made in all their unions, and are known all the same`() throws {
    let paths = try (0..<12).map { try file($0) }
    let role = role(paths.map { [$0] })
    let named = try #require(role.grant(in: "shop")?.shapeFiles)
    #expect(try ShapeRegister([role]).shapes(of: named)?.shapes.count == 12)
    #expect(try ShapeRegister([role]).shapes(of: named + ["other"]) == nil)
  }
}
