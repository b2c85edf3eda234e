/// How the budget is shared, and when memory goes back: rules without memory.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct MemorySharesTests {
  private let mebibyte = 1 << 20

  /// What `count` holders come to that each take as much as they may, in steps, until none may take more.
  private func settle(_ count: Int, step: Int, in shares: MemoryShares) -> (total: Int, least: Int) {
    var holders = [Int](repeating: 0, count: count)
    var total = 0
    var isMoving = true
    while isMoving {
      isMoving = false
      for index in holders.indices where holders[index] + step <= shares.allowanceBytes(totalBytes: total) {
        holders[index] += step
        total += step
        isMoving = true
      }
    }
    return (total, holders.min() ?? 0)
  }

  @Test(arguments: [1, 4, 8, 30, 300])
  func `holders that take all they may leave room for the next, and a fifth for the small`(count: Int) {
    let shares = MemoryShares(budgetBytes: 1_024 * mebibyte)
    let (total, least) = settle(count, step: 64 << 10, in: shares)
    #expect(total <= 1_024 * mebibyte / 5 * 4)
    #expect(shares.allowanceBytes(totalBytes: total) >= EngineLimits.memorySmallBytes)
    #expect(least > 0)
    if count == 1 { #expect(total > 80 * mebibyte && total < 100 * mebibyte) }
  }

  @Test func `ten thousand small holders never come to the whole`() {
    for budget in [64, 256, 1_024] {
      let shares = MemoryShares(budgetBytes: budget * mebibyte)
      let (large, _) = settle(100, step: 1 << 20, in: shares)
      var total = large
      for _ in 0..<10_000 {
        let allowance = shares.allowanceBytes(totalBytes: total)
        #expect(allowance >= EngineLimits.memoryShareBytesMin)
        if allowance > EngineLimits.memoryShareBytesMin { total += allowance }
      }
      #expect(total <= budget * mebibyte)
    }
  }

  @Test func `statements that take all they may leave something to each that comes later, and a fifth to the small`() {
    let shares = MemoryShares(budgetBytes: 1_024 * mebibyte)
    var total = 0
    for number in 0..<6 {
      let share = shares.statementBytes(totalBytes: total)
      if number == 0 { #expect(share > 400 * mebibyte && share < 450 * mebibyte) }
      #expect(share >= EngineLimits.statementMemoryBytesMin)
      total += share
    }
    #expect(total <= 1_024 * mebibyte / 5 * 4)
    #expect(shares.statementBytes(totalBytes: .max) == EngineLimits.statementMemoryBytesMin)
  }

  @Test func `a budget that is none, and sums beyond it, neither trap nor shut anybody out`() {
    let none = MemoryShares(budgetBytes: .max)
    #expect(none.allowanceBytes(totalBytes: 1 << 50) > 1 << 50)
    let small = MemoryShares(budgetBytes: Limits.memoryBudgetBytesMin)
    #expect(small.allowanceBytes(totalBytes: .max) == EngineLimits.memoryShareBytesMin)
    #expect(small.allowanceBytes(totalBytes: 0) >= Limits().frameBytesMax, "the longest frame fits the least budget")
    #expect(small.isTight(totalBytes: 60 * mebibyte) && !small.isTight(totalBytes: 20 * mebibyte))
    #expect(small.wantsSmallerCaches(sqliteBytes: 33 * mebibyte, totalBytes: 33 * mebibyte))
    #expect(!small.wantsSmallerCaches(sqliteBytes: 5 * mebibyte, totalBytes: 60 * mebibyte))
  }

  @Test func `an account tells the process in steps, and what it held goes with it`() {
    // Other tests of the process hold nothing, because only a server has accounts.
    let account = MemoryAccount()
    account.add(1_000)
    account.add(-1_000)
    #expect(account.usedBytes == 0)
    for _ in 0..<1_000 { account.add(1_000) }
    #expect(account.usedBytes == 1_000_000)
    account.add(-999_999)
    #expect(account.usedBytes == 1)
    account.add(5 << 20)
    account.close()
    #expect(account.usedBytes == 0)
    account.add(1 << 20)
    account.add(-(6 << 20))
    account.close()
    #expect(account.usedBytes == 0)
  }

  @Test func `a hold grows, shrinks, joins and gives back what is left`() {
    let account = MemoryAccount()
    do {
      let first = MemoryHold(account)
      let second = MemoryHold(account)
      #expect(first.grow(toBytes: 100_000) && first.grow(toBytes: 50_000) && second.grow(toBytes: 1))
      #expect(account.usedBytes == 100_001)
      let all = MemoryHold.joining([first, second])
      all?.shrink(byBytes: 40_000)
      #expect(account.usedBytes == 60_001)
      all?.shrink(byBytes: .max)
      all?.shrink(byBytes: -5)
      #expect(account.usedBytes == 0)
      #expect(first.grow(toBytes: 10))
    }
    #expect(account.usedBytes == 0)
    #expect(MemoryHold.joining([]) == nil)
  }

  @Test(
    arguments: [
      (nil, nil, nil, 1_024), (24 << 30, nil, nil, 1_024), (2 << 30, nil, nil, 512), (24 << 30, 512 << 20, nil, 256),
      (24 << 30, nil, 800 << 20, 200), (1 << 20, 1 << 20, 0, 64),
    ] as [(Int?, Int?, Int?, Int)])
  func `the budget is a share of the least that there is`(physical: Int?, group: Int?, address: Int?, mebibytes: Int) {
    let machine = MachineMemory(physicalBytes: physical, groupBytes: group, addressBytes: address)
    #expect(machine.budgetBytes == mebibytes << 20)
  }

  @Test func `the limits of control groups are looked for where they are`() {
    #expect(
      MachineMemory.groupLimitFiles("0::/system.slice/martlet.service\n") == [
        "/sys/fs/cgroup/system.slice/martlet.service/memory.max", "/sys/fs/cgroup/system.slice/memory.max",
        "/sys/fs/cgroup/memory.max",
      ])
    #expect(
      MachineMemory.groupLimitFiles("5:cpu:/a\n9:memory:/docker/x\nnonsense\n") == [
        "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
      ])
    #expect(
      ["536870912\n", "max\n", "9223372036854771712\n", "", "-1"].map(MachineMemory.limit) == [
        536_870_912, nil, nil, nil, nil,
      ])
    #expect(MachineMemory.current.budgetBytes >= Limits.memoryBudgetBytesMin)
  }

  // MARK: - Back to the system

  private struct Sampler {
    var policy = MemoryReturn()
    var now = MonotonicTime(nanoseconds: 0)

    /// Looks every 250 ms; returns after how many ms it was time, or nil.
    mutating func look(_ resident: Int, _ accounted: Int, forMs ms: Int) -> Int? {
      for passed in stride(from: 250, through: ms, by: 250) {
        now = now.advanced(milliseconds: 250)
        if policy.sampled(residentBytes: resident << 20, accountedBytes: accounted << 20, now: now) { return passed }
      }
      return nil
    }

    mutating func returned(_ resident: Int, _ accounted: Int, tookMs: Int = 1) {
      policy.returned(
        residentBytes: resident << 20, accountedBytes: accounted << 20, tookMs: tookMs, now: now)
    }
  }

  @Test func `memory goes back soon after a peak, and not while it is in use`() {
    var sampler = Sampler()
    #expect(sampler.look(30, 0, forMs: 10_000) == nil)
    for step in 1...20 { #expect(sampler.look(30 + 50 * step, 50 * step, forMs: 250) == nil) }
    #expect(sampler.look(1_030, 1_000, forMs: 5_000) == nil, "all of it is accounted for")
    #expect(sampler.look(1_030, 0, forMs: 2_000).map { $0 <= 1_000 } == true)
    sampler.returned(31, 0)
    #expect(sampler.look(31, 0, forMs: 10_000) == nil)
  }

  @Test(arguments: [(0, 1_000), (1, 1_000), (10, 1_000), (50, 5_000), (600, 60_000), (100_000, 60_000), (-1, 1_000)])
  func `the longer an attempt takes, the longer is the pause after it`(tookMs: Int, pauseMs: Int) {
    var sampler = Sampler()
    #expect(sampler.look(30, 0, forMs: 250) == nil)
    #expect(sampler.look(60, 0, forMs: 2_000) != nil)
    for _ in 0..<5 {
      sampler.returned(59, 0, tookMs: tookMs)
      #expect(sampler.look(59, 0, forMs: 100_000) == pauseMs)
    }
  }

  @Test func `pages that were in use at one attempt go back soon after they are idle`() {
    var sampler = Sampler()
    #expect(sampler.look(37, 0, forMs: 250) == nil)
    // A page cache holds the rest until it was idle for two seconds.
    for _ in 0..<20 where sampler.look(76, 0, forMs: 1_000) != nil { sampler.returned(70, 0) }
    #expect(sampler.look(70, 0, forMs: 2_000) != nil)
  }
}
