import { commercialPilot } from './commercial.ts'
import { lessonPatterns } from './lesson-patterns.ts'
import { flown, underPart141 } from './part141.ts'
import type { LessonTemplate } from './syllabus-template.ts'

const { dual, solo, ground } = lessonPatterns({
  dual: { 'CPL.TOTAL': 'flight', 'CPL.DUAL': 'instruction' },
  solo: { 'CPL.TOTAL': 'flight', 'CPL.SOLO': 'solo' },
})
/**
 * Returns a ground school lesson of 2.7 hours. The ground school and the ground lessons of the stages together reach
 * the 35 hours of the appendix.
 */
const school = (subject: string): LessonTemplate => ground(`Ground school: ${subject}`, 27, [{ name: subject }])
const flights = <Lesson>(many: number, make: (flight: number) => Lesson) =>
  Array.from({ length: many }, (_, index) => make(index + 1))

/** Commercial pilot, airplane single-engine land, under 14 CFR Part 141 Appendix D. */
export const commercialPilot141 = underPart141(commercialPilot, {
  key: 'commercial_141',
  name: 'Commercial pilot, airplane (Part 141)',
  description:
    'A course for approval under 14 CFR Part 141 Appendix D, for pilots who hold or train for the instrument rating: 35 hours of ground and 120 hours of flight training; tasks of the Commercial Pilot for Airplane Category ACS, FAA-S-ACS-7B.',
  appendix: 'd',
  ground: 'CPL.GROUND',
  requirements: [
    { code: 'CPL.GROUND', label: 'Ground training', deciHours: 350, simulatorBps: 0 },
    { code: 'CPL.TOTAL', label: 'Flight training', deciHours: 1200 },
    { code: 'CPL.DUAL', label: 'Flight training from an instructor', deciHours: 550 },
    // 5 of the 10 hours are flown in a single-engine airplane.
    { code: 'CPL.INSTRUMENT', label: 'Instrument training', deciHours: 100, simulatorBps: 5000 },
    flown('CPL.COMPLEX_TAA', 'Complex, turbine-powered or technically advanced airplane', { deciHours: 100 }),
    flown('CPL.DAY_XC', '2-hour day cross-country over 100 NM in a straight line', { count: 1 }),
    flown('CPL.NIGHT_XC', '2-hour night cross-country over 100 NM in a straight line', { count: 1 }),
    flown('CPL.TEST_PREP', 'Practical-test preparation', { deciHours: 30, days: 60 }),
    flown('CPL.SOLO', 'Solo, or pilot in command with an instructor aboard', { deciHours: 100 }),
    flown('CPL.SOLO_LONG_XC', 'Cross-country, 3 points, one leg of 250 NM (150 in Hawaii)', { count: 1 }),
    flown('CPL.SOLO_NIGHT', 'Night VFR', { deciHours: 50 }),
    flown('CPL.SOLO_NIGHT_TAKEOFFS', 'Night takeoffs at a towered airport', { count: 10 }),
    flown('CPL.SOLO_NIGHT_LANDINGS', 'Night landings at a towered airport', { count: 10 }),
  ],
  groundSchool: {
    name: 'Ground school',
    objective: 'The pilot knows the subjects of Appendix D, section 3(b).',
    lessons: [
      school('Regulations for commercial pilots'),
      school('Reports of accidents'),
      school('Aerodynamics and the principles of flight'),
      school('Critical weather, windshear, reports and forecasts'),
      school('Safe and efficient operation of aircraft'),
      school('Weight and balance'),
      school('Performance charts'),
      school('Exceeding the limits of performance'),
      school('Aeronautical decisions and judgment'),
      school('Normal, abnormal and emergency systems'),
      school('Maneuvers, procedures and emergencies of the airplane'),
      school('Night and high-altitude operations'),
      school('The National Airspace System'),
    ],
  },
  practice: {
    name: 'Directed practice',
    objective: 'The pilot gains the experience that the course asks for, with and without the instructor.',
    lessons: [
      ...flights(12, (flight) =>
        dual(`Dual practice, flight ${flight}`, 21, [{ name: 'Maneuvers as the instructor directs' }]),
      ),
      ...flights(11, (flight) =>
        solo(`Cross-country practice, flight ${flight}`, 50, [{ name: 'Cross-country as the instructor directs' }]),
      ),
    ],
  },
})
