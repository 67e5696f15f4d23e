import {
  addMaintenanceItem,
  type NewMaintenanceItem,
} from '../../../src/shared/fleet/maintenance/add-maintenance-item.ts'
import { changeSquawk, resolveSquawk } from '../../../src/shared/fleet/maintenance/change-squawk.ts'
import { completeMaintenanceItem } from '../../../src/shared/fleet/maintenance/complete-maintenance-item.ts'
import { replaceMeter } from '../../../src/shared/fleet/maintenance/replace-meter.ts'
import { reportSquawk } from '../../../src/shared/fleet/maintenance/report-squawk.ts'
import { lockResource } from '../../../src/shared/fleet/resources/resource.access.ts'
import { hundredths, minus, plus, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { localDate } from '../../../src/shared/platform/kernel/zones.ts'
import { daysFrom } from './days.ts'
import type { MeterMap } from './fill-week.ts'
import type { ResourceKey } from './fleet.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import type { PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/**
 * The 100-hour inspection (14 CFR 91.409(b)). Hours flown past its limit count towards the next interval. An overdue
 * inspection grounds the aircraft for hire and instruction.
 */
const hundredHour = {
  name: '100-hour inspection',
  basis: 'tach',
  intervalHours: hundredths(10_000),
  carry: true,
  scope: 'for_hire_or_instruction',
  grounding: true,
} satisfies Partial<NewMaintenanceItem>

/**
 * Adds maintenance items: a 100-hour inspection that is due soon by the tach; one that was done late, with a carry; oil
 * by hours or months; an annual inspection that satisfies the 100-hour inspection; an overdue ELT battery; a completed
 * transponder check. Replaces a meter.
 */
export async function addMaintenance(
  school: SchoolTransaction,
  founded: DemoSchool,
  now: Date,
  meters: MeterMap,
): Promise<void> {
  const { tom } = founded.actors
  const add = (at: Date, on: ResourceKey, item: Partial<NewMaintenanceItem> & Pick<NewMaintenanceItem, 'name'>) =>
    school.at(at, (tx) =>
      addMaintenanceItem(tx, tom, {
        resourceId: founded.resourceIds[on],
        warnDays: 30,
        warnHours: hundredths(1_000),
        grounding: false,
        ...item,
      }),
    )
  const tach = meters.get('N734FL')?.tach ?? ZERO
  await add(now, 'N734FL', {
    ...hundredHour,
    dueReading: plus(tach, hundredths(640)),
  })
  const oil = {
    name: 'Oil and filter',
    limits: [
      { basis: 'tach', intervalHours: hundredths(5_000) },
      { basis: 'calendar', intervalMonths: 4 },
    ],
  } satisfies Partial<NewMaintenanceItem>
  await add(daysFrom(now, -70), 'N734FL', oil)
  await add(now, 'N92FL', {
    name: 'ELT battery',
    limits: [
      { basis: 'calendar', intervalMonths: 24, dueAt: daysFrom(now, -3) },
      { basis: 'use', intervalHours: hundredths(100), usedHours: hundredths(40) },
    ],
  })
  // Done four hours late: these hours count towards the next 100 hours.
  const flown = meters.get('N518FL')?.tach ?? hundredths(100_400)
  const late = await add(daysFrom(now, -9), 'N518FL', { ...hundredHour, dueReading: minus(flown, hundredths(400)) })
  await add(now, 'N518FL', {
    name: 'Annual inspection',
    basis: 'calendar',
    intervalMonths: 12,
    dueAt: daysFrom(now, 20),
    grounding: true,
    satisfies: [late.id],
  })
  const transponder = await add(daysFrom(now, -80), 'N40FL', {
    name: 'Transponder check',
    basis: 'calendar',
    intervalMonths: 24,
    dueAt: daysFrom(now, -50),
  })
  const done = {
    doneAt: null,
    reading: null,
    readings: {},
    notes: 'Within limits; entry in the airframe logbook.',
    signedBy: { name: 'Tom Becker', certificateNumber: '3141592' },
    workOrder: null,
    inspectedSquawkIds: [],
    confirmMeterAnomaly: false,
    files: [],
  }
  await school.at(daysFrom(now, -52), (tx) => completeMaintenanceItem(tx, tom, transponder.id, done))
  await school.at(daysFrom(now, -8), (tx) =>
    completeMaintenanceItem(tx, tom, late.id, { ...done, reading: flown, workOrder: '118' }),
  )
  for (const [name, intervalMonths, daysAgo] of [
    ['Annual inspection', 12, 120],
    ['ELT inspection', 12, 120],
    ['Transponder test', 24, 300],
  ] as const) {
    await add(daysFrom(now, -75), 'N734FL', {
      name,
      basis: 'calendar',
      intervalMonths,
      lastDoneAt: daysFrom(now, -daysAgo),
      grounding: name === 'Annual inspection',
    })
  }
  await replaceHobbs(school, founded, now)
}

/** Replaces the Hobbs meter of the aircraft that is grounded for its magneto. */
async function replaceHobbs(school: SchoolTransaction, founded: DemoSchool, now: Date): Promise<void> {
  const id = founded.resourceIds.N61FL
  const reason = 'The counter stuck; a new one was installed, work order 121'
  await school.at(daysFrom(now, -4), async (tx) => {
    const { hobbsHundredths } = await lockResource(tx, founded.actors.tom, id)
    const change = { meter: 'hobbs', oldReading: hobbsHundredths ?? ZERO, newReading: ZERO, reason } as const
    return replaceMeter(tx, founded.actors.tom, id, change)
  })
}

/** Reports squawks: one resolved, one placarded and deferred to a date, one in progress, and one that grounds an aircraft. */
export async function reportSquawks(
  school: SchoolTransaction,
  { actors, resourceIds }: DemoSchool,
  now: Date,
): Promise<void> {
  const { tom } = actors
  const report = (
    daysAgo: number,
    by: PersonKey,
    on: ResourceKey,
    title: string,
    description: string,
    grounds = false,
  ) =>
    school.at(daysFrom(now, -daysAgo), (tx) =>
      reportSquawk(tx, actors[by], {
        resourceId: resourceIds[on],
        title,
        description,
        reservationId: null,
        severity: grounds ? 'grounding' : 'observation',
      }),
    )
  const flat = await report(58, 'ivan', 'N40FL', 'Nose tire worn', 'Cord visible on the left shoulder.')
  await school.at(daysFrom(now, -57), (tx) => resolveSquawk(tx, tom, flat.id, 'Tire and tube replaced.'))
  const light = await report(17, 'isabel', 'N92FL', 'Landing light dim', 'Day VFR only, please.')
  const deferral = {
    status: 'deferred',
    deferredUntil: localDate(daysFrom(now, 30), ZONE),
    deferralReference: '91.213(d)(2)',
    placarded: true,
    excludedOperations: ['night_for_hire_or_instruction'],
  } as const
  await school.at(daysFrom(now, -16), (tx) => changeSquawk(tx, tom, light.id, deferral))
  const gauge = await report(1, 'sam', 'N734FL', 'Right fuel gauge sticks', 'Shows a quarter when the tank is full.')
  await school.at(now, (tx) => changeSquawk(tx, tom, gauge.id, { status: 'in_progress' }))
  await report(5, 'adam', 'N61FL', 'Left magneto drops 250 rpm', 'Run-up at 2,000; part ordered.', true)
}
