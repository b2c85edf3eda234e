/// What is said to commands of other shells reads as one text, and names what is there.
import ArgumentParser
import Testing

@testable import MartletCommand

struct CommandHintTests {
  @Test(arguments: CommandHint.points.sorted { $0.key < $1.key }.map { [$0.key, $0.value] })
  func `a command that is not there is told once that it is not, and what to do`(pair: [String]) throws {
    let failure = #expect(throws: DotCommand.Failure.self) { try DotCommand(pair[0]) }
    #expect(failure?.description == "There is no command \(pair[0]). \(pair[1])")
    for again in ["not there", "There is no", "there is no"] { #expect(!pair[1].contains(again)) }
  }

  @Test(arguments: (CommandHint.points.merging(CommandHint.backslashes) { first, _ in first }).values.sorted())
  func `a hint is a sentence, and the commands that it names are there`(hint: String) {
    #expect(hint.hasSuffix("."))
    #expect(hint.first.map { $0.isUppercase || $0 == "." } == true || hint.hasPrefix("martlet "))
    let words = hint.split { " ,;:()".contains($0) }.map(String.init)
    let names = words.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.filter { $0.hasPrefix(".") }
    #expect(names.allSatisfy { name in DotCommand.all.contains { $0.name == name } }, "\(names)")
    let verbs = RootCommand.configuration.subcommands.map { $0.configuration.commandName }
    for (word, next) in zip(words, words.dropFirst()) where word == "martlet" {
      #expect(verbs.contains(next.hasSuffix(".") ? String(next.dropLast()) : next))
    }
  }
}
