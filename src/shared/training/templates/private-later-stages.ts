import { lessonPatterns } from './lesson-patterns.ts'
import type { StageTemplate } from './syllabus-template.ts'

/**
 * The lesson patterns of the private course. Every flight credits flight time; a dual flight also credits training
 * received, a solo flight solo time. Night, cross-country and instrument time are credited from their own clocks, not
 * from the time of the whole flight.
 */
export const { dual, solo, ground, check } = lessonPatterns({
  dual: { 'PPL.TOTAL': 'flight', 'PPL.DUAL': 'instruction' },
  solo: { 'PPL.TOTAL': 'flight', 'PPL.SOLO': 'solo' },
})

/** The later stages of the private course: cross-country, night, and test preparation. */
export const privateLater: readonly StageTemplate[] = [
  {
    name: 'Stage 3: cross-country and night',
    objective: 'The student plans and flies to other airports, by day alone and by night with the instructor.',
    lessons: [
      ground('Weather, charts and planning', 20, ['PA.I.C', 'PA.I.D', 'PA.I.E', 'PA.I.F']),
      dual('Cross-country', 22, ['PA.I.D', 'PA.VI.A', 'PA.VI.B', 'PA.VI.C'], { 'PPL.DUAL_XC': 'cross_country' }),
      dual('Night, takeoffs and landings', 15, ['PA.XI.A', 'PA.IV.A', 'PA.IV.B'], {
        'PPL.DUAL_NIGHT': 'night',
        'PPL.NIGHT_TAKEOFFS': 'night_takeoffs',
        'PPL.NIGHT_LANDINGS': 'night_full_stops',
      }),
      dual('Night cross-country over 100 NM', 20, ['PA.XI.A', 'PA.VI.A', 'PA.VI.B'], {
        'PPL.DUAL_NIGHT': 'night',
        'PPL.DUAL_XC': 'cross_country',
        'PPL.NIGHT_XC': 1,
        'PPL.NIGHT_TAKEOFFS': 'night_takeoffs',
        'PPL.NIGHT_LANDINGS': 'night_full_stops',
      }),
      dual('Unusual attitudes, and lost in poor visibility', 10, ['PA.VI.D', 'PA.VIII.E', 'PA.VIII.F'], {
        'PPL.INSTRUMENT': 'instrument',
      }),
      check('Stage check: ready for solo cross-country', 15, ['PA.I.C', 'PA.I.D', 'PA.VI.A', 'PA.VI.C', 'PA.VI.D']),
      solo('Solo cross-country', 25, ['PA.VI.A', 'PA.VI.B'], { 'PPL.SOLO_XC': 'cross_country' }),
      solo('Solo cross-country of 150 NM', 40, ['PA.I.D', 'PA.VI.A', 'PA.VI.B'], {
        'PPL.SOLO_XC': 'cross_country',
        'PPL.SOLO_LONG_XC': 1,
      }),
    ],
  },
  {
    name: 'Stage 4: preparation of the practical test',
    objective: 'The student meets the standards of the test in every task.',
    lessons: [
      solo('Solo review of the maneuvers', 15, ['PA.V.A', 'PA.VII.A', 'PA.IV.D', 'PA.IV.F']),
      dual(
        'Review of maneuvers and landings',
        15,
        ['PA.V.A', 'PA.VII.B', 'PA.VII.C', 'PA.IV.D', 'PA.IV.F', 'PA.IV.M'],
        {
          'PPL.TEST_PREP': 'instruction',
        },
      ),
      ground('Review of the oral part', 20, [
        'PA.I.A',
        'PA.I.B',
        'PA.I.C',
        'PA.I.D',
        'PA.I.E',
        'PA.I.F',
        'PA.I.G',
        'PA.I.H',
      ]),
      dual('Practice test', 15, ['PA.II.A', 'PA.IV.E', 'PA.IV.F', 'PA.V.B', 'PA.VI.C', 'PA.VIII.E', 'PA.IX.B'], {
        'PPL.TEST_PREP': 'instruction',
      }),
      check('Final stage check', 15, ['PA.I.A', 'PA.IV.C', 'PA.IV.D', 'PA.V.A', 'PA.VI.A', 'PA.VII.B', 'PA.IX.B'], {
        'PPL.TEST_PREP': 'instruction',
      }),
    ],
  },
]
