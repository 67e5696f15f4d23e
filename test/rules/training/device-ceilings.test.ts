import { describe, expect, test } from 'vitest'
import { basisPoints, tenths } from '../../../src/shared/platform/kernel/units.ts'
import {
  type Appendix,
  appendices,
  appendixTerms,
  areNested,
  courseDeviceLimits,
  creditedInDevices,
  type DeviceKind,
  type DeviceLimit,
  deviceUse,
} from '../../../src/shared/training/courses/device-ceilings.rules.ts'
import {
  type CreditFact,
  requirementProgress,
} from '../../../src/shared/training/enrollments/requirement-progress.rules.ts'
import type { RequirementTemplate } from '../../../src/shared/training/templates/syllabus-template.ts'
import { syllabusTemplates } from '../../../src/shared/training/templates/syllabus-templates.ts'

type Times = Partial<Record<DeviceKind, number>>

const timesOf = (times: Times) =>
  Object.entries(times).map(([deviceKind, amount]) => ({ deviceKind: deviceKind as DeviceKind, amount }))

/** The progress in a requirement of a template by time in devices alone, in tenths of hours. */
function progress(code: string, times: Times, changed: Partial<RequirementTemplate> = {}) {
  const found = syllabusTemplates.flatMap(({ requirements }) => requirements).find((one) => one.code === code)
  const { deciHours = 0, simulatorBps, devices = [] } = { ...found, ...changed }
  const terms = {
    minTenths: tenths(deciHours),
    maxSimulatorBps: simulatorBps === undefined ? null : basisPoints(simulatorBps),
    maxTransferBps: null,
    recencyCalendarMonths: null,
    deviceCeilings: devices.map(({ kinds, bps }) => ({ deviceKinds: kinds, bps: basisPoints(bps) })),
  }
  const entries = timesOf(times).map(
    (time, index): CreditFact => ({
      ...time,
      id: index + 1,
      source: 'simulator',
      clock: null,
      occurredAt: new Date('2026-06-01T12:00:00Z'),
      reversesId: null,
    }),
  )
  return requirementProgress(terms, entries, { now: new Date('2026-06-02T12:00:00Z'), zone: 'UTC' })
}

describe('time in devices under Part 61', () => {
  test.each<[string, string, Times, number, number]>([
    ['61.109(k)(1): 3.0 in a training device, of the total', 'PPL.TOTAL', { ftd: 30 }, 25, 5],
    ['61.109(k)(1): 3.0 in a training device, of the training', 'PPL.DUAL', { ftd: 30 }, 25, 5],
    ['61.65(j): 12.0 basic and 6.0 advanced', 'IR.INSTRUMENT', { batd: 120, aatd: 60 }, 160, 20],
    ['61.65(h), (i): 15.0 simulator and 10.0 advanced', 'IR.INSTRUMENT', { ffs: 150, aatd: 100 }, 200, 50],
    ['61.129(i)(1): 60.0 in a training device', 'CPL.TOTAL', { ftd: 600 }, 500, 100],
  ])('%s', (_, code, times, credited, simulator) => {
    expect(progress(code, times)).toMatchObject({ credited, disallowed: { simulator } })
  })

  test('28.0 in a simulator count in a course under Part 142, where a school sets 30.0 of the 40.0', () => {
    expect(progress('IR.INSTRUMENT', { ffs: 280 }, { simulatorBps: 7500 })).toMatchObject({ credited: 280 })
  })
})

const limit = (most: number, ...deviceKinds: DeviceKind[]): DeviceLimit => ({ most, deviceKinds })
const together = (most: number): DeviceLimit => ({ most, deviceKinds: null })
const appendixB = [limit(70, 'ffs'), limit(52, 'ftd', 'aatd'), limit(52, 'batd'), together(70)]
const appendixC = [
  limit(175, 'ffs'),
  limit(140, 'ftd', 'aatd'),
  limit(87, 'batd'),
  limit(140, 'ftd', 'aatd', 'batd'),
  together(175),
]
const appendixD = [limit(360, 'ffs'), limit(240, 'ftd', 'aatd'), limit(0, 'batd'), together(360)]

describe('time in devices under Part 141, in whole tenths', () => {
  test.each<[string, DeviceLimit[], Times, number]>([
    ['appendix B: 6.0 training device and 2.0 simulator', appendixB, { ftd: 60, ffs: 20 }, 70],
    ['appendix B: 6.0 training device', appendixB, { ftd: 60 }, 52],
    ['appendix B: 8.0 simulator', appendixB, { ffs: 80 }, 70],
    ['appendix C: 10.0 basic and 8.0 advanced', appendixC, { batd: 100, aatd: 80 }, 140],
    ['appendix C: 10.0 basic', appendixC, { batd: 100 }, 87],
    ['appendix D: 30.0 training device and 15.0 simulator', appendixD, { ftd: 300, ffs: 150 }, 360],
    ['no device', appendixB, {}, 0],
  ])('%s', (_, limits, times, credited) => {
    expect(creditedInDevices(timesOf(times), limits)).toBe(credited)
    expect(creditedInDevices(timesOf(times), limits.toReversed())).toBe(credited)
  })

  test('of an unknown kind counts under the limit of all alone', () => {
    expect(creditedInDevices([{ deviceKind: null, amount: 80 }], appendixB)).toBe(70)
  })
})

describe('the ceilings of a course under Part 141 (Appendices B to D)', () => {
  const limitsOf = (appendix: Appendix, total: number) =>
    courseDeviceLimits({ appendix, deviceCeilings: appendixTerms[appendix].ceilings }, tenths(total))

  test.each<[Appendix, number, DeviceLimit[]]>([
    ['b', 350, appendixB],
    ['c', 350, appendixC],
    ['d', 1200, appendixD],
  ])('are shares of the flight training of appendix %s', (appendix, total, limits) => {
    expect(limitsOf(appendix, total)).toEqual(limits)
  })

  test('are shares of the appendix in a longer course, and of the course in a shorter one', () => {
    // 8.0 in a simulator: 20 % of the 35 hours of the appendix, not of the course's 40.
    expect(creditedInDevices(timesOf({ ffs: 80 }), limitsOf('b', 400))).toBe(70)
    expect(creditedInDevices(timesOf({ ffs: 80 }), limitsOf('b', 300))).toBe(60)
  })

  test('bind each requirement of hours, and say of each ceiling what counts', () => {
    const entries = timesOf({ ftd: 60, ffs: 20 }).map(
      (time, index): CreditFact => ({
        ...time,
        id: index + 1,
        source: 'simulator',
        clock: null,
        occurredAt: new Date('2026-06-01T12:00:00Z'),
        reversesId: null,
      }),
    )
    const terms = {
      minTenths: tenths(200),
      maxSimulatorBps: null,
      maxTransferBps: null,
      recencyCalendarMonths: null,
      courseLimits: limitsOf('b', 350),
    }
    const at = { now: new Date('2026-06-02T12:00:00Z'), zone: 'UTC' }
    expect(requirementProgress(terms, entries, at)).toMatchObject({ credited: 70, disallowed: { simulator: 10 } })
    expect(deviceUse(entries, limitsOf('b', 350))).toEqual([
      { deviceKinds: ['ffs'], allowed: 70, credited: 20, disallowed: 0 },
      { deviceKinds: ['ftd', 'aatd'], allowed: 52, credited: 52, disallowed: 8 },
      { deviceKinds: ['batd'], allowed: 52, credited: 0, disallowed: 0 },
      { deviceKinds: ['ffs', 'ftd', 'aatd', 'batd'], allowed: 70, credited: 70, disallowed: 10 },
    ])
  })

  test('are nested, as every set of ceilings has to be', () => {
    for (const appendix of appendices) expect(areNested(appendixTerms[appendix].ceilings)).toBe(true)
    const share = (...deviceKinds: DeviceKind[]) => ({ deviceKinds, bps: basisPoints(1000) })
    expect(areNested([share('ffs', 'ftd'), share('ftd', 'aatd')])).toBe(false)
    expect(areNested([share('ffs'), share('ffs', 'ftd')])).toBe(true)
  })
})
