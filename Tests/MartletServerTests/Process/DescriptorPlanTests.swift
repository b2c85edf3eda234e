/// How open files are shared out, for every limit that a system may grant.
import MartletValues
import Testing

@testable import MartletServer

@Suite struct DescriptorPlanTests {
  @Test func `what is shared out never exceeds what was granted, and serves more than a few`() {
    for loops in [1, 2, 8, 64] {
      for connectionsMax in [1, 50, 10_000] {
        var limits = Limits()
        limits.connectionsMax = connectionsMax
        let least = DescriptorPlan.least(limits: limits, loops: loops, addresses: 2)
        let wanted = DescriptorPlan.wanted(by: limits, loops: loops, addresses: 2)
        #expect(DescriptorPlan(granted: least - 1, limits: limits, loops: loops, addresses: 2) == nil)
        var before: DescriptorPlan?
        for granted in Swift.stride(from: least, through: wanted + 1_000, by: 13) {
          guard let plan = DescriptorPlan(granted: granted, limits: limits, loops: loops, addresses: 2) else {
            Issue.record("no plan for \(granted)")
            return
          }
          var fitted = limits
          plan.apply(to: &fitted)
          #expect(fitted.check() == nil)
          #expect(DescriptorPlan.wanted(by: fitted, loops: loops, addresses: 2) <= granted)
          #expect(plan.connections >= min(16, connectionsMax) && plan.databases >= 1)
          #expect(plan.isReduced == (granted < wanted))
          if let before { #expect(plan.connections >= before.connections) }
          before = plan
        }
        #expect(before?.connections == connectionsMax && before?.databases == limits.databasesOpenMax)
      }
    }
  }
}
