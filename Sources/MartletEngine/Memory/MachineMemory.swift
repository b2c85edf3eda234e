import Foundation
import MartletValues

/// How much memory there is for this process: of the machine, of its control group, of its address space.
///
/// Always true: what cannot be read bounds nothing.
package struct MachineMemory: Sendable, Equatable {
  package var physicalBytes: Int?
  /// The least of the limits of its control groups.
  package var groupBytes: Int?
  /// What the limit on its address space leaves.
  package var addressBytes: Int?

  package init(physicalBytes: Int? = nil, groupBytes: Int? = nil, addressBytes: Int? = nil) {
    self.physicalBytes = physicalBytes
    self.groupBytes = groupBytes
    self.addressBytes = addressBytes
  }

  /// The budget that leaves room for everything that is not counted: code, stacks, small objects, the allocator's
  /// overhead. If the address space is limited, also for copies of data that is on its way.
  package var budgetBytes: Int {
    let shares = [physicalBytes.map { $0 / 4 }, groupBytes.map { $0 / 2 }, addressBytes.map { $0 / 4 }]
    let least = shares.compactMap { $0 }.min() ?? EngineLimits.memoryBudgetBytesMax
    return max(Limits.memoryBudgetBytesMin, min(least, EngineLimits.memoryBudgetBytesMax))
  }

  package static var current: MachineMemory {
    MachineMemory(physicalBytes: physical, groupBytes: group, addressBytes: address)
  }

  private static var physical: Int? { Int(clamping: ProcessInfo.processInfo.physicalMemory) }

  // MARK: - Control groups

  private static var group: Int? {
    guard let list = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8) else { return nil }
    return groupLimitFiles(list).compactMap { file in
      (try? String(contentsOfFile: file, encoding: .utf8)).flatMap(limit(in:))
    }.min()
  }

  /// The files that may hold a limit, for the lines of `/proc/self/cgroup`: each group's and those above it.
  static func groupLimitFiles(_ list: String) -> [String] {
    var files: [String] = []
    for line in list.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains("memory") else { continue }
      let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      let name = isUnified ? "memory.max" : "memory.limit_in_bytes"
      var path = String(fields[2])
      while path.count > 1 {
        files.append(root + path + "/" + name)
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      }
      files.append(root + "/" + name)
    }
    return files
  }

  /// A number; `max`, or what the older interface says for it, is no limit.
  static func limit(in text: String) -> Int? {
    let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    return number.flatMap { $0 > 0 && $0 < 1 << 60 ? $0 : nil }
  }

  // MARK: - Address space

  private static var address: Int? {
    #if os(Linux)
      var limit = rlimit()
      let resource = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(1) << 60 else { return nil }
      return max(0, Int(clamping: limit.rlim_cur) - (ProcessSize.current?.virtualBytes ?? 0))
    #else
      return nil
    #endif
  }
}

/// What the system says that this process takes.
package struct ProcessSize: Sendable, Equatable {
  package var virtualBytes: Int
  package var residentBytes: Int

  /// Nil if the system does not say it.
  package static var current: ProcessSize? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let text = buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let pages = text.split(separator: " ").prefix(2).compactMap { Int($0) }
    guard pages.count == 2 else { return nil }
    let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
    return ProcessSize(virtualBytes: pages[0] * pageBytes, residentBytes: pages[1] * pageBytes)
  }
}
