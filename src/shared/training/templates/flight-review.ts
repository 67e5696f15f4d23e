import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground } = lessonPatterns({ dual: { 'FR.FLIGHT': 'instruction' } })

/** Flight review under 14 CFR 61.56. */
export const flightReview: SyllabusTemplate = {
  key: 'flight-review',
  name: 'Flight review',
  description: 'The review of 14 CFR 61.56(a): at least 1 hour of flight training and 1 hour of ground training.',
  standard: null,
  certificateSought: 'other',
  ratingId: 1,
  requirements: [
    { code: 'FR.GROUND', label: 'Ground training, the rules of Part 91 included', deciHours: 10 },
    { code: 'FR.FLIGHT', label: 'Flight training', deciHours: 10 },
  ],
  stages: [
    {
      name: 'Flight review',
      objective: 'The pilot exercises the privileges of the certificate safely.',
      lessons: [
        ground(
          'Rules and knowledge',
          10,
          [
            { name: 'Current general operating and flight rules of Part 91' },
            { name: 'Privileges, currency and medical certificates' },
            { name: 'Airspace, weather and planning of a flight of the pilot’s own' },
            { name: 'Risks of the flying that the pilot does' },
          ],
          { 'FR.GROUND': 'ground' },
        ),
        dual('Maneuvers and procedures', 10, [
          { name: 'Takeoffs, landings and go-arounds' },
          { name: 'Slow flight and stalls' },
          { name: 'Steep turns' },
          { name: 'Flight by reference to instruments' },
          { name: 'Emergency approach and landing' },
        ]),
      ],
    },
  ],
}
