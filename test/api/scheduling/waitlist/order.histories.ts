import type { WaitlistOrder } from '../../../../src/shared/platform/authz/offer-settings.ts'

/** A member of a history. */
export type Who = 'A' | 'B' | 'C'

/** What a member does, or what happens to them. */
export type Deed =
  | 'joins'
  | 'flies'
  | 'is out'
  | 'was booked'
  | 'cancels'
  | 'does not show up'
  | 'enters'
  | 'enters for solo'
  | 'enters with a booking to move'
  | 'leaves'
  | 'is offered'
  | 'declines'
  | 'is silent'
  | 'is booked over'
  | 'adds a window'
  | 'moves the window'
  | 'shortens the window'
  | 'takes the window back'
  | 'flies longer'
  | 'flies shorter'
  | 'needs less notice'
  | 'needs more notice'
  | 'takes one aircraft'
  | 'takes another aircraft'
  | 'takes any aircraft'
  | 'takes a pool'
  | 'takes one instructor'
  | 'takes another instructor'
  | 'takes any instructor'
  | 'moves a booking'
  | 'moves none'
  | 'says the same again'

/** An hour from the start of the test, and who does what then. */
type Step = [hour: number, who: Who, deed: Deed]

const enter: Step[] = [
  [1, 'A', 'enters'],
  [2, 'B', 'enters'],
]
const then = (...steps: Step[]) => [...enter, ...steps]
const firstCome: [string, Step[], string][] = [
  ['who enters first', enter, 'AB'],
  [
    'not who joined first',
    [
      [1, 'B', 'enters'],
      [2, 'A', 'enters'],
    ],
    'BA',
  ],
  [
    'at one moment, the lower id',
    [
      [1, 'B', 'enters'],
      [1, 'A', 'enters'],
    ],
    'BA',
  ],
  ['not who adds a window', then([3, 'A', 'adds a window']), 'BA'],
  ['not who moves the window', then([3, 'A', 'moves the window']), 'BA'],
  ['still who shortens the window', then([3, 'A', 'shortens the window']), 'AB'],
  ['not who flies longer', then([3, 'A', 'flies longer']), 'BA'],
  ['not who flies shorter', then([3, 'A', 'flies shorter']), 'BA'],
  ['not who needs less notice', then([3, 'A', 'needs less notice']), 'BA'],
  ['still who needs more notice', then([3, 'A', 'needs more notice']), 'AB'],
  ['still who takes fewer aircraft', then([3, 'A', 'takes one aircraft']), 'AB'],
  ['not who takes another aircraft', then([3, 'A', 'takes another aircraft']), 'BA'],
  ['not who takes any aircraft', then([3, 'A', 'takes any aircraft']), 'BA'],
  ['not who takes a pool', then([3, 'A', 'takes a pool']), 'BA'],
  ['still who takes fewer instructors', then([3, 'A', 'takes one instructor']), 'AB'],
  ['not who takes another instructor', then([3, 'A', 'takes another instructor']), 'BA'],
  ['not who takes any instructor', then([3, 'A', 'takes any instructor']), 'BA'],
  ['still who would move a booking', then([3, 'A', 'moves a booking']), 'AB'],
  [
    'not who moves that booking no more',
    [
      [1, 'A', 'enters with a booking to move'],
      [2, 'B', 'enters'],
      [3, 'A', 'moves none'],
    ],
    'BA',
  ],
  ['still who says the same again', then([3, 'A', 'says the same again']), 'AB'],
  ['after a change, the last of three', then([3, 'C', 'enters'], [4, 'A', 'adds a window']), 'BCA'],
  ['of two changes, the earlier', then([3, 'B', 'adds a window'], [4, 'A', 'adds a window']), 'BA'],
  ['of two changes at one moment, the lower id', then([3, 'B', 'adds a window'], [3, 'A', 'adds a window']), 'AB'],
  ['not who narrows what they widened', then([3, 'A', 'adds a window'], [4, 'A', 'takes the window back']), 'BA'],
  ['not who widens what they narrowed', then([3, 'A', 'shortens the window'], [4, 'A', 'takes the window back']), 'BA'],
  ['not who leaves and enters again', then([3, 'A', 'leaves'], [4, 'A', 'enters']), 'BA'],
  ['still who declines', then([3, 'A', 'declines']), 'AB'],
  ['still who does not answer', then([3, 'A', 'is silent']), 'AB'],
  ['still whose place the desk booked', then([3, 'A', 'is booked over']), 'AB'],
  ['not who has an offer', then([3, 'A', 'is offered']), 'B'],
  ['not by flights', [[-24, 'A', 'flies'], ...enter], 'AB'],
]

const longestSinceFlight: [string, Step[], string][] = [
  ['whose flight is longer ago', [[-24, 'A', 'flies'], [-48, 'B', 'flies'], ...enter], 'BA'],
  ['by the last of several flights', [[-240, 'A', 'flies'], [-24, 'A', 'flies'], [-48, 'B', 'flies'], ...enter], 'BA'],
  ['not who never flew, and joined later', [[-24, 'A', 'joins'], [-48, 'B', 'flies'], ...enter], 'BA'],
  ['of those who never flew, who joined first', [[-24, 'A', 'joins'], [-48, 'B', 'joins'], ...enter], 'BA'],
  [
    'not who did not show up',
    [[-240, 'A', 'flies'], [-24, 'A', 'does not show up'], [-48, 'B', 'flies'], ...enter],
    'BA',
  ],
  ['still who cancelled', [[-240, 'A', 'flies'], [-24, 'A', 'cancels'], [-48, 'B', 'flies'], ...enter], 'AB'],
  ['still who is out', [[-240, 'A', 'flies'], [-1, 'A', 'is out'], [-48, 'B', 'flies'], ...enter], 'AB'],
  [
    'still who was booked, of whom nobody says that they flew or did not show up',
    [[-240, 'A', 'flies'], [-24, 'A', 'was booked'], [-48, 'B', 'flies'], ...enter],
    'AB',
  ],
  [
    'also who asks for more, since the flight is longer ago',
    [[-48, 'A', 'flies'], [-24, 'B', 'flies'], ...enter, [3, 'A', 'adds a window']],
    'AB',
  ],
  ['not who flies while waiting', then([3, 'A', 'flies']), 'BA'],
  ['at one moment, who has waited longer', then([3, 'A', 'adds a window']), 'BA'],
  [
    'at one moment and with one rank, the lower id',
    [
      [1, 'B', 'enters'],
      [1, 'A', 'enters'],
    ],
    'BA',
  ],
  [
    'not counting other types',
    [
      [1, 'C', 'enters for solo'],
      [2, 'B', 'enters'],
      [3, 'A', 'enters'],
    ],
    'BA',
  ],
]

/** Histories, each with the order decided by hand: who is asked first, by each order that a school can choose. */
export const histories: [WaitlistOrder, string, Step[], string][] = [
  ...firstCome.map((one): [WaitlistOrder, string, Step[], string] => ['first_come', ...one]),
  ...longestSinceFlight.map((one): [WaitlistOrder, string, Step[], string] => ['longest_since_flight', ...one]),
]
