import type { LessonKind } from '../../../src/shared/training/courses/syllabus.rules.ts'

/** A lesson of the instrument course; `tenths`: its length in tenths of an hour. */
export interface CourseLesson {
  name: string
  kind: LessonKind
  tenths: number
  objectives: string
  stageCheck?: boolean
  /** The codes of requirements whose count it raises by one, in addition to its training time. */
  counts?: string[]
}

const flight = (name: string, tenths: number, objectives: string, rest: Partial<CourseLesson> = {}): CourseLesson => {
  return { name, kind: 'flight', tenths, objectives, ...rest }
}

const check = (name: string): CourseLesson =>
  flight(name, 13, 'A check instructor flies with the student.', { stageCheck: true })

/** The requirements of 14 CFR Part 141, Appendix C, for an initial instrument rating; ceilings in basis points. */
export const instrumentRequirements = [
  { code: 'IR.TRAINING', label: 'Instrument training', minTenths: 350, minCount: null, maxSimulatorBps: 4_000 },
  {
    code: 'IR.XC',
    label: 'Cross-country under IFR of 250 NM, three kinds of approaches',
    minTenths: null,
    minCount: 1,
    maxSimulatorBps: null,
  },
] as const

/** The stages of the course with their lessons. */
export const instrumentStages: { name: string; objective: string; lessons: CourseLesson[] }[] = [
  {
    name: 'Stage 1: attitude instrument flying',
    objective: 'The student flies the airplane by reference to instruments alone.',
    lessons: [
      {
        name: 'Ground: instruments and the scan',
        kind: 'ground',
        tenths: 20,
        objectives: 'Systems, errors and the cross-check.',
      },
      flight('Full panel: level flight and turns', 14, 'Altitude within 100 feet, heading within 10 degrees.'),
      flight('Full panel: climbs and descents', 14, 'Constant airspeed and constant rate.'),
      flight('Partial panel', 14, 'The same without attitude and heading indicators.'),
      flight('Recoveries from unusual attitudes', 12, 'Recovery without delay, by instruments alone.'),
      check('Stage check: attitude instrument flying'),
    ],
  },
  {
    name: 'Stage 2: navigation and holding',
    objective: 'The student navigates and holds under IFR.',
    lessons: [
      flight('Tracking by VOR and GPS', 14, 'Intercept and track, within three quarters of the scale.'),
      flight('Holding', 14, 'Entries, wind correction and timing.'),
      flight('Arcs and intercepts', 14, 'Within one mile of the arc.'),
      {
        name: 'Simulator: lost communication',
        kind: 'sim',
        tenths: 12,
        objectives: 'Route, altitude and clearance limit without a radio.',
      },
      check('Stage check: navigation'),
    ],
  },
  {
    name: 'Stage 3: approaches',
    objective: 'The student flies approaches of all kinds to minimums.',
    lessons: [
      flight('ILS approaches', 15, 'Within three quarters of the scale down to the decision altitude.'),
      flight('RNAV approaches', 15, 'LPV and LNAV minimums, and the missed approach.'),
      flight('Approaches on partial panel', 14, 'One approach without the attitude indicator.'),
      flight('Circling approaches', 14, 'Within the protected area, at or above the minimum.'),
      flight('Cross-country under IFR', 40, '250 NM on an IFR flight plan.', { counts: ['IR.XC'] }),
      check('End-of-course check'),
    ],
  },
]
