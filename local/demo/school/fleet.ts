import type { NewResource } from '../../../src/shared/fleet/resources/create-resource.ts'
import { cents, hundredths } from '../../../src/shared/platform/kernel/units.ts'

interface DemoResource extends Omit<NewResource, 'location' | 'name'> {
  /** The reason of the grounding; absent when the aircraft is in service. */
  groundedReason?: string
}

const single = { engines: 1, category: 'airplane', class: 'single_engine_land', fuelUnits: 'gallons' } as const

/** Returns a single-engine airplane; meters in hundredths of an hour, wet rate in cents per hour. */
function plane(make: string, model: string, year: number, hobbsTime: number, tachTime: number, wetRate: number) {
  return {
    type: { plane: single },
    make,
    model,
    year,
    hobbsTime: hundredths(hobbsTime),
    tachTime: hundredths(tachTime),
    fuelEngine1: 40,
    cost: { wetRate: cents(wetRate), billByHobbsTime: true },
  } satisfies DemoResource
}

/** The Skyhawks, which a booking need not tell apart. */
const pool = 'Cessna 172'

const fleet = {
  N734FL: { ...plane('Cessna', '172S Skyhawk', 2004, 421_030, 387_410, 18_000), pool },
  N518FL: { ...plane('Cessna', '172S Skyhawk', 2007, 305_560, 281_120, 18_000), pool },
  N92FL: plane('Piper', 'PA-28-181 Archer', 1999, 688_240, 640_050, 17_200),
  N40FL: plane('Diamond', 'DA40 NG', 2016, 154_410, 146_880, 21_000),
  N206FL: {
    ...plane('Cessna', '182T Skylane', 2011, 198_770, 181_930, 23_800),
    type: { plane: { ...single, highPerformance: true } },
  },
  N61FL: {
    ...plane('Piper', 'PA-44-180 Seminole', 2002, 512_800, 489_660, 34_000),
    type: { plane: { ...single, engines: 2, class: 'multi_engine_land', complex: true } },
    fuelEngine2: 40,
    groundedReason: 'Left magneto, part ordered',
  },
  'Redbird LD': {
    type: { simulator: { deviceKind: 'aatd' } },
    make: 'Redbird',
    model: 'LD',
    hobbsTime: hundredths(88_420),
    cost: { wetRate: cents(9_000), billByHobbsTime: true },
  },
  'Briefing room': { type: { room: { seats: 8 } } },
} as const satisfies Record<string, DemoResource>

export type ResourceKey = keyof typeof fleet

/** The resources of Bay Flight Academy, by their name on the calendar. */
export const resources: Record<ResourceKey, DemoResource> = fleet
