import ArgumentParser
import Foundation
import MartletClient
import MartletServer
import MartletValues

/// `martlet shapes`: the statements that roles may run if they may not run all.
///
/// Always true: a file of shapes only grows by what somebody has named; removing is editing it.
struct ShapesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shapes",
    abstract: "List what statements a server runs, and register those that a role may run.",
    discussion: """
      A role whose table in the configuration has shapes = ["PATH"] runs the statements of that file and no others, \
      whatever values they are given. A line of a file is a statement's shape, which is a digest of its tree, and its \
      SQL for people. A client of the Swift library writes such a list by itself: configuration.remote.recorder.

      EXAMPLES:
        martlet shapes export martlet://localhost/shop --output seen.shapes
        martlet shapes register /etc/martlet/shop.shapes --from seen.shapes
        kill -HUP PID
      """,
    subcommands: [Export.self, Register.self])
}

extension ShapesCommand {
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the shapes that a running server knows, with their SQL.",
      discussion: """
        They are those that have succeeded lately, of the database that the URL names, or of all. Whoever could send \
        statements is in it: read the list before you register it. It takes the permission inspect.
        """)

    @OptionGroup var server: ServerArgument

    @Option(help: ArgumentHelp("The file that gets them. (default: standard output)", valueName: "path"))
    var output: String?

    func run() async throws {
      let database = try server.parsed().database
      let inspection = try await server.withServer { try await $0.inspect(shapes: ShapeListLimits.shapesMax) }
      var list = ShapeList()
      for shape in inspection.shapes where shape.executions > shape.errors {
        if database == nil || shape.database == database { list.add(shape.shape, note: shape.sql) }
      }
      let bytes = Array(list.text.utf8)
      if let output {
        guard (try? Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)) != nil else {
          throw CommandFailure.shapesUnwritable(CellText.escaped(output))
        }
      } else {
        try StandardOutput.write(bytes, to: 1)
      }
      if list.entries.isEmpty {
        StandardOutput.complain("Note: the server knows no statement that succeeded lately, so the list is empty.\n")
      }
      let known = inspection.counters.first { $0.name == "plans_cached" }?.value ?? 0
      if known > inspection.shapes.count {
        StandardOutput.complain(
          "The server may know more: it told of the \(inspection.shapes.count) that took the most time.\n")
      }
    }
  }

  struct Register: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add shapes to a file that roles name.",
      discussion: "The file is made if it does not exist. What it has already stays as it is.")

    @Argument(help: ArgumentHelp("The file that the configuration names.", valueName: "path"))
    var file: String

    @Option(
      name: .customLong("from"),
      help: ArgumentHelp("A list of shapes. May be given several times. (default: standard input)", valueName: "path"))
    var sources: [String] = []

    func run() throws {
      do {
        var list = ShapeList()
        for (name, text) in try texts() {
          do throws(ShapeList.Invalid) {
            for entry in try ShapeList(text).entries { list.add(entry.shape, note: entry.note) }
          } catch {
            throw CommandFailure.badShape(CellText.escaped(name), line: error.line, error.sentence)
          }
        }
        let target = ShapeFile(path: file)
        let added = try target.register(list)
        StandardOutput.complain(
          "\(added) of \(list.entries.count) shapes are new in \(CellText.escaped(file)). A running server takes them "
            + "after a reload (SIGHUP).\n")
      } catch {
        throw CommandFailure.explaining(error)
      }
    }

    private func texts() throws -> [(name: String, text: String)] {
      guard !sources.isEmpty else {
        let bytes = try FileHandle.standardInput.read(upToCount: ShapeListLimits.fileBytesMax + 1) ?? Data()
        return [("standard input", try text(bytes, "standard input"))]
      }
      return try sources.map { path in
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
          throw CommandFailure.shapesUnreadable(CellText.escaped(path))
        }
        return (path, try text(bytes, path))
      }
    }

    private func text(_ bytes: Data, _ name: String) throws -> String {
      guard bytes.count <= ShapeListLimits.fileBytesMax else {
        throw CommandFailure.shapesTooLarge(CellText.escaped(name), bytesMax: ShapeListLimits.fileBytesMax)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure.shapesNotUTF8(CellText.escaped(name))
      }
      return text
    }
  }
}
