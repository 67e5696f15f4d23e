import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground } = lessonPatterns({ dual: { 'CPX.FLIGHT': 1 } })

/** Complex endorsement under 14 CFR 61.31(e). */
export const complexAirplane: SyllabusTemplate = {
  key: 'complex',
  name: 'Complex endorsement',
  description:
    'The ground and flight training of 14 CFR 61.31(e) for an airplane with retractable gear, flaps and a controllable-pitch propeller; the rule asks for no number of hours.',
  standard: null,
  certificateSought: 'endorsement',
  ratingId: 21,
  requirements: [
    { code: 'CPX.GROUND', label: 'Ground training', count: 1, source: 'school' },
    { code: 'CPX.FLIGHT', label: 'Flight training', count: 1, source: 'school' },
  ],
  stages: [
    {
      name: 'Complex airplane',
      objective: 'The pilot operates gear, flaps and propeller by habit and by checklist, and handles their failures.',
      lessons: [
        ground(
          'Gear, flaps and propeller',
          15,
          [
            { name: 'Landing gear: normal and emergency operation' },
            { name: 'Controllable-pitch propeller' },
            { name: 'Speeds, checklists and the distractions that cause gear-up landings' },
          ],
          { 'CPX.GROUND': 1 },
        ),
        dual('Normal operation', 15, [
          { name: 'Takeoff, climb, cruise and descent' },
          { name: 'Gear and flap speeds, slow flight and stalls' },
        ]),
        dual('Landings and emergencies', 15, [
          { name: 'Normal, short- and soft-field takeoffs and landings' },
          { name: 'Emergency extension of the gear' },
          { name: 'Propeller and engine malfunctions' },
        ]),
      ],
    },
  ],
}
