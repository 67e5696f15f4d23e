import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground } = lessonPatterns({ dual: {} })

/** Tailwheel endorsement under 14 CFR 61.31(i). */
export const tailwheel: SyllabusTemplate = {
  key: 'tailwheel',
  name: 'Tailwheel endorsement',
  description: 'The flight training of 14 CFR 61.31(i) for a tailwheel airplane; the rule asks for no number of hours.',
  standard: null,
  certificateSought: 'endorsement',
  ratingId: 20,
  requirements: [
    { code: 'TW.NORMAL', label: 'Normal takeoffs and landings', count: 1, source: 'school' },
    { code: 'TW.CROSSWIND', label: 'Crosswind takeoffs and landings', count: 1, source: 'school' },
    {
      code: 'TW.WHEEL',
      label: 'Wheel landings, unless the manufacturer advises against them',
      count: 1,
      source: 'school',
    },
    { code: 'TW.GO_AROUND', label: 'Go-around procedures', count: 1, source: 'school' },
  ],
  stages: [
    {
      name: 'Tailwheel',
      objective: 'The pilot keeps a tailwheel airplane straight, in any landing and in a crosswind.',
      lessons: [
        ground('Why a tailwheel airplane wants to swap ends', 10, [
          { name: 'Center of gravity and directional stability on the ground' },
          { name: 'Propeller effects on takeoff' },
          { name: 'Taxiing in wind, and ground loops' },
        ]),
        dual('Taxiing and three-point landings', 15, [{ name: 'Taxiing' }, { name: 'Normal takeoffs and landings' }], {
          'TW.NORMAL': 1,
        }),
        dual('Wheel landings', 15, [{ name: 'Wheel landings' }, { name: 'Go-arounds' }], {
          'TW.WHEEL': 1,
          'TW.GO_AROUND': 1,
        }),
        dual('Crosswinds', 15, [{ name: 'Crosswind takeoffs and landings' }], { 'TW.CROSSWIND': 1 }),
        dual('Short and soft fields, and review', 12, [{ name: 'Short- and soft-field takeoffs and landings' }], {
          'TW.NORMAL': 1,
        }),
      ],
    },
  ],
}
