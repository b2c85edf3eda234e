/// Which registers the calls of functions with any number of arguments read. A program does not say it.
///
/// Always true: the arguments stand one behind the other, and each is put there after the one before, unless it is a
/// constant that is put there when the program begins. What was put there longer ago is of something else.
struct CallArguments {
  /// The places of the program's instructions and triggers: where each begins, and where what is done first does.
  private struct Part {
    let places: Range<Int>
    let beginning: Range<Int>
  }

  /// By the places of the calls.
  private(set) var registers: [Int: [Int]] = [:]

  init(_ program: [Instruction]) {
    for places in ProgramFlow.programs(in: program) {
      look(through: Part(places: places, beginning: Self.beginning(of: program, places)), program)
    }
  }

  /// What a program does first stands at its end, and the program comes back from there.
  private static func beginning(of program: [Instruction], _ places: Range<Int>) -> Range<Int> {
    let first = program[places.lowerBound]
    guard first.name == "Init", first.second > 1, first.second <= places.count else {
      return places.upperBound..<places.upperBound
    }
    return places.lowerBound + first.second..<places.upperBound
  }

  private static func isCall(_ instruction: Instruction) -> Bool {
    instruction.callsFunction && instruction.function.width < 0
  }

  private mutating func look(through part: Part, _ program: [Instruction]) {
    guard program[part.places].contains(where: Self.isCall) else { return }
    var outputs: [[Int]] = []
    var anywhere: Set<Int> = []
    var atFirst: Set<Int> = []
    for place in part.places {
      outputs.append(ProgramFlow.outputs(of: program[place]))
      anywhere.formUnion(outputs[outputs.count - 1])
      if part.beginning.contains(place) { atFirst.formUnion(outputs[outputs.count - 1]) }
    }
    var written: [Int: Int] = [:]
    for place in part.places {
      let instruction = program[place]
      if Self.isCall(instruction) {
        let constants = part.beginning.contains(place) ? [] : atFirst
        registers[place] = Self.run(from: instruction.second, written, constants, anywhere)
      }
      for register in outputs[place - part.places.lowerBound] { written[register] = place }
    }
  }

  private static func run(
    from first: Int, _ written: [Int: Int], _ constants: Set<Int>, _ anywhere: Set<Int>
  ) -> [Int] {
    var (run, last) = ([Int](), -1)
    for register in first..<first + SQLiteLimits.argumentsMax {
      if let place = written[register] {
        guard place >= last else { break }
        last = place
      } else if !constants.contains(register), anywhere.contains(register) {
        break
      }
      run.append(register)
    }
    // Nobody puts anything into the registers behind the last.
    while let last = run.last, !anywhere.contains(last) { run.removeLast() }
    return run
  }
}
