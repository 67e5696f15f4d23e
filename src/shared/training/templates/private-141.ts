import { flown, underPart141 } from './part141.ts'
import { privatePilot } from './private.ts'
import { ground } from './private-later-stages.ts'
import type { LessonTemplate } from './syllabus-template.ts'

/** Returns a ground school lesson of 2.7 hours: 13 of them reach the 35 hours of the appendix. */
const school = (subject: string): LessonTemplate => ground(`Ground school: ${subject}`, 27, [{ name: subject }])

/** Private pilot, airplane single-engine land, under 14 CFR Part 141 Appendix B. */
export const privatePilot141 = underPart141(privatePilot, {
  key: 'private_141',
  name: 'Private pilot, airplane (Part 141)',
  description:
    'A course for approval under 14 CFR Part 141 Appendix B: 35 hours of ground and 35 hours of flight training; tasks of the Private Pilot for Airplane Category ACS, FAA-S-ACS-6C.',
  appendix: 'b',
  ground: 'PPL.GROUND',
  requirements: [
    { code: 'PPL.GROUND', label: 'Ground training', deciHours: 350, simulatorBps: 0 },
    { code: 'PPL.TOTAL', label: 'Flight training', deciHours: 350 },
    { code: 'PPL.DUAL', label: 'Flight training from an instructor', deciHours: 200 },
    flown('PPL.DUAL_XC', 'Cross-country training', { deciHours: 30 }),
    flown('PPL.DUAL_NIGHT', 'Night training', { deciHours: 30 }),
    flown('PPL.NIGHT_XC', 'Night cross-country over 100 NM total', { count: 1 }),
    flown('PPL.NIGHT_TAKEOFFS', 'Night takeoffs', { count: 10 }),
    flown('PPL.NIGHT_LANDINGS', 'Night full-stop landings', { count: 10 }),
    { code: 'PPL.INSTRUMENT', label: 'Instrument training', deciHours: 30 },
    flown('PPL.TEST_PREP', 'Practical-test preparation', { deciHours: 30, days: 60 }),
    flown('PPL.SOLO', 'Solo flight, single-engine airplane', { deciHours: 50 }),
    flown('PPL.SOLO_LONG_XC', 'Solo cross-country of 100 NM total, 3 points, one leg of 50 NM', { count: 1 }),
    flown('PPL.SOLO_TOWER_TAKEOFFS', 'Solo takeoffs at a towered airport', { count: 3 }),
    flown('PPL.SOLO_TOWER_LANDINGS', 'Solo full-stop landings at a towered airport', { count: 3 }),
  ],
  groundSchool: {
    name: 'Ground school',
    objective: 'The student knows the subjects of Appendix B, section 3(b).',
    lessons: [
      school('Regulations for private pilots'),
      school('Reports of accidents'),
      school('The Aeronautical Information Manual and advisory circulars'),
      school('Charts, pilotage, dead reckoning and navigation aids'),
      school('Radio communication'),
      school('Critical weather, reports and forecasts'),
      school('Collision and wake avoidance'),
      school('Density altitude, takeoff and climb performance'),
      school('Weight and balance'),
      school('Aerodynamics, engines and systems'),
      school('Stalls and spins: entry and recovery'),
      school('Aeronautical decisions and judgment'),
      school('Preflight action'),
    ],
  },
})
