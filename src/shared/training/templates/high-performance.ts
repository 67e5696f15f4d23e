import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground } = lessonPatterns({ dual: { 'HP.FLIGHT': 1 } })

/** High-performance endorsement under 14 CFR 61.31(f). */
export const highPerformance: SyllabusTemplate = {
  key: 'high-performance',
  name: 'High-performance endorsement',
  description:
    'The ground and flight training of 14 CFR 61.31(f) for an airplane with an engine of more than 200 horsepower; the rule asks for no number of hours.',
  standard: null,
  certificateSought: 'endorsement',
  ratingId: 22,
  requirements: [
    { code: 'HP.GROUND', label: 'Ground training', count: 1, source: 'school' },
    { code: 'HP.FLIGHT', label: 'Flight training', count: 1, source: 'school' },
  ],
  stages: [
    {
      name: 'High performance',
      objective: 'The pilot operates the airplane and its systems, and stays ahead of it.',
      lessons: [
        ground(
          'The engine, the propeller and the airplane',
          15,
          [
            { name: 'Constant-speed propeller and power settings' },
            { name: 'Engine temperatures, mixture and cowl flaps' },
            { name: 'Performance, weight and balance' },
          ],
          { 'HP.GROUND': 1 },
        ),
        dual('Power management and maneuvers', 15, [
          { name: 'Takeoff, climb, cruise and descent power' },
          { name: 'Slow flight, stalls and steep turns' },
        ]),
        dual('Takeoffs, landings and emergencies', 15, [
          { name: 'Normal, short- and soft-field takeoffs and landings' },
          { name: 'Engine and propeller malfunctions' },
        ]),
      ],
    },
  ],
}
