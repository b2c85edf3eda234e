/// Lines of the log wait for whoever reads them, and nobody waits for that.
import Foundation
import Synchronization
import Testing

@testable import MartletCommand

@Suite struct LogOutputTests {
  private final class Told: Sendable {
    private let numbers = Mutex<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  /// Reads a pipe to its end, on a thread of its own.
  private final class Reading: Sendable {
    private let text = Mutex("")
    private let ended = DispatchSemaphore(value: 0)

    init(_ pipe: Pipe) {
      Thread.detachNewThread { [self] in
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        text.withLock { $0 = String(decoding: data, as: UTF8.self) }
        ended.signal()
      }
    }

    /// Once whoever writes has closed the pipe.
    func lines() -> [Substring] {
      ended.wait()
      return text.withLock { $0.split(separator: "\n") }
    }
  }

  private static func line(_ number: Int) -> String { "\(number) " + String(repeating: "x", count: 100) }

  private static func output(to pipe: Pipe, bytesMax: Int = 64 << 10, _ told: Told) -> LogOutput {
    LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, bytesMax: bytesMax) { told.add($0) }
  }

  @Test(arguments: [false, true])
  func `nobody waits for a pipe that nobody reads: what fits comes whole and in order, and the rest is counted`(
    isNonblocking: Bool
  ) throws {
    let (pipe, told, count) = (Pipe(), Told(), 20_000)
    if isNonblocking { _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK) }
    let output = Self.output(to: pipe, told)
    for number in 0..<count { output.write((Self.line(number) + "\n").utf8) }
    output.flush(withinMs: 50)
    let reading = Reading(pipe)
    output.flush(withinMs: 60_000)
    try pipe.fileHandleForWriting.close()
    let numbers = reading.lines().map { line -> Int in
      let number = line.prefix { $0 != " " }
      #expect(line == Self.line(Int(number) ?? -1))
      return Int(number) ?? -1
    }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(numbers.count > 500 && numbers.count < count)
    #expect(numbers.count + told.all.reduce(0, +) == count)
  }

  @Test func `lines of several threads do not mix`() throws {
    let (pipe, told) = (Pipe(), Told())
    let output = Self.output(to: pipe, bytesMax: 8 << 20, told)
    let reading = Reading(pipe)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<500 { output.write((Self.line(thread * 1_000 + number) + "\n").utf8) }
    }
    output.flush(withinMs: 60_000)
    try pipe.fileHandleForWriting.close()
    let lines = reading.lines()
    #expect(lines.count == 4_000 && told.all.isEmpty)
    for line in lines { #expect(line == Self.line(Int(line.prefix { $0 != " " }) ?? -1)) }
  }

  @Test func `lines that cannot be written are dropped, and later ones are tried again`() throws {
    let (told, pipe) = (Told(), Pipe())
    let broken = LogOutput(descriptor: -1) { told.add($0) }
    for _ in 0..<3 {
      broken.write("lost\n".utf8)
      broken.flush(withinMs: 60_000)
    }
    #expect(told.all.isEmpty)
    try pipe.fileHandleForWriting.close()
  }
}
