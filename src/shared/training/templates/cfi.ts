import { lessonPatterns } from './lesson-patterns.ts'
import type { SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground, check } = lessonPatterns({ dual: { 'CFI.PIC_CLASS': 'pic' } })

/** Flight instructor, airplane single-engine, under 14 CFR 61.183 to 61.187. */
export const flightInstructor: SyllabusTemplate = {
  key: 'cfi',
  name: 'Flight instructor, airplane single-engine',
  description:
    'Eligibility and training of 14 CFR 61.183, 61.185 and 61.187; tasks of the Flight Instructor for Airplane Category ACS, FAA-S-ACS-25.',
  standard: 'FAA-S-ACS-25',
  certificateSought: 'cfi',
  ratingId: 14,
  requirements: [
    {
      code: 'CFI.PIC_CLASS',
      label: 'Pilot in command in the category and class of the rating',
      deciHours: 150,
      simulatorBps: 0,
      experience: true,
    },
    // 61.185 and 61.187 require training without an amount: the school sets these counts.
    { code: 'CFI.FOI', label: 'Ground training in the fundamentals of instructing', count: 3, source: 'school' },
    {
      code: 'CFI.KNOWLEDGE',
      label: 'Ground training in the aeronautical knowledge of 61.185(a)(2)',
      count: 3,
      source: 'school',
    },
    { code: 'CFI.SPIN', label: 'Training in stall awareness, spin entry, spins and spin recovery', count: 1 },
    {
      code: 'CFI.PROFICIENCY',
      label: 'Flights with training in the areas of operation of 61.187(b)(1)',
      count: 6,
      source: 'school',
    },
    {
      code: 'CFI.TEST_PREP',
      label: 'Flights in preparation of the practical test',
      count: 2,
      months: 2,
      source: 'school',
    },
  ],
  stages: [
    {
      name: 'Stage 1: fundamentals of instructing',
      objective: 'The applicant knows how people learn, and plans and evaluates training.',
      lessons: [
        ground('How people learn', 20, ['AI.I.A', 'AI.I.B'], { 'CFI.FOI': 1 }),
        ground('Lesson plans, evaluation and testing', 20, ['AI.I.C', 'AI.I.D'], { 'CFI.FOI': 1 }),
        ground('Teaching as a profession, and its risks', 20, ['AI.I.E', 'AI.I.F'], { 'CFI.FOI': 1 }),
      ],
    },
    {
      name: 'Stage 2: technical subjects',
      objective: 'The applicant teaches the technical subjects on the ground.',
      lessons: [
        ground('People, scanning and runways', 20, ['AI.II.A', 'AI.II.B', 'AI.II.C'], { 'CFI.KNOWLEDGE': 1 }),
        ground('Principles of flight, systems and performance', 25, ['AI.II.D', 'AI.II.E', 'AI.II.F'], {
          'CFI.KNOWLEDGE': 1,
        }),
        ground(
          'Airspace, navigation, rules and endorsements',
          25,
          ['AI.II.G', 'AI.II.H', 'AI.II.I', 'AI.II.J', 'AI.II.K'],
          {
            'CFI.KNOWLEDGE': 1,
          },
        ),
        ground('Preflight preparation and night', 20, ['AI.II.M', 'AI.III.A', 'AI.III.B', 'AI.III.C']),
        ground('A lesson on a maneuver', 15, ['AI.IV.A']),
      ],
    },
    {
      name: 'Stage 3: teaching in the air',
      objective: 'From the right seat the applicant demonstrates, explains and corrects.',
      lessons: [
        dual(
          'Right seat, and fundamentals of flight',
          14,
          ['AI.V.A', 'AI.V.B', 'AI.V.D', 'AI.V.F', 'AI.VIII.A', 'AI.VIII.B', 'AI.VIII.C', 'AI.VIII.D'],
          { 'CFI.PROFICIENCY': 1 },
        ),
        dual(
          'Takeoffs, landings and go-arounds',
          14,
          ['AI.VI.A', 'AI.VI.B', 'AI.VII.A', 'AI.VII.B', 'AI.VII.M', 'AI.VII.N'],
          { 'CFI.PROFICIENCY': 1 },
        ),
        dual(
          'Short and soft fields, and power-off accuracy landings',
          14,
          ['AI.VII.C', 'AI.VII.D', 'AI.VII.E', 'AI.VII.F', 'AI.VII.O'],
          { 'CFI.PROFICIENCY': 1 },
        ),
        dual(
          'Performance and ground reference maneuvers',
          14,
          ['AI.IX.A', 'AI.IX.B', 'AI.IX.C', 'AI.IX.D', 'AI.IX.E', 'AI.IX.F'],
          { 'CFI.PROFICIENCY': 1 },
        ),
        dual(
          'Slow flight and demonstration stalls',
          14,
          ['AI.X.A', 'AI.X.B', 'AI.X.C', 'AI.X.D', 'AI.X.E', 'AI.X.F', 'AI.X.G', 'AI.X.H'],
          { 'CFI.PROFICIENCY': 1 },
        ),
        dual('Spins', 10, ['AI.X.I'], { 'CFI.SPIN': 1 }),
        dual(
          'Instruments and emergencies',
          14,
          ['AI.XI.A', 'AI.XI.B', 'AI.XI.C', 'AI.XI.D', 'AI.XI.E', 'AI.XII.A', 'AI.XII.B', 'AI.XII.C', 'AI.XII.D'],
          { 'CFI.PROFICIENCY': 1 },
        ),
      ],
    },
    {
      name: 'Stage 4: preparation of the practical test',
      objective: 'The applicant teaches every task to the standard of the test.',
      lessons: [
        dual('Practice test', 15, ['AI.IV.A', 'AI.VII.E', 'AI.VII.O', 'AI.IX.C', 'AI.X.F', 'AI.XIV.A'], {
          'CFI.TEST_PREP': 1,
        }),
        check('Final stage check', 15, ['AI.I.F', 'AI.II.K', 'AI.VII.F', 'AI.IX.F', 'AI.X.I', 'AI.XII.B'], {
          'CFI.TEST_PREP': 1,
        }),
      ],
    },
  ],
}
