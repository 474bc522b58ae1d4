/** The parts that invented records are put together from. People, mailboxes and telephone numbers belong to nobody. */

export interface City {
  readonly city: string;
  readonly state: string;
  /** The first three digits of its postal codes. */
  readonly zip: string;
}

const city = (name: string, state: string, zip: string): City => ({ city: name, state, zip });

export const CITIES = [
  city('Norfolk', 'VA', '235'),
  city('Arlington', 'VA', '222'),
  city('Fayetteville', 'NC', '283'),
  city('Jacksonville', 'NC', '285'),
  city('Beaufort', 'SC', '299'),
  city('Columbus', 'GA', '319'),
  city('Savannah', 'GA', '314'),
  city('Pensacola', 'FL', '325'),
  city('Tampa', 'FL', '336'),
  city('Clarksville', 'TN', '370'),
  city('Dayton', 'OH', '454'),
  city('Belleville', 'IL', '622'),
  city('Leavenworth', 'KS', '660'),
  city('Oklahoma City', 'OK', '731'),
  city('Lawton', 'OK', '735'),
  city('Killeen', 'TX', '765'),
  city('San Antonio', 'TX', '782'),
  city('El Paso', 'TX', '799'),
  city('Colorado Springs', 'CO', '809'),
  city('Ogden', 'UT', '844'),
  city('Tucson', 'AZ', '857'),
  city('San Diego', 'CA', '921'),
  city('Oceanside', 'CA', '920'),
  city('Fairfield', 'CA', '945'),
  city('Tacoma', 'WA', '984'),
  city('Anchorage', 'AK', '995'),
  city('Honolulu', 'HI', '968'),
];

export const STREETS = ['Maple', 'Oak', 'Cedar', 'Elm', 'Chestnut', 'Magnolia', 'Juniper', 'Washington', 'Lincoln'];
export const STREETS_TOO = [
  'Harbor View',
  'Mill',
  'Quarry',
  'Lakeshore',
  'Orchard',
  'Fort',
  'Depot',
  'Prairie',
  'Hill',
];
export const STREET_KINDS = ['Street', 'Avenue', 'Drive', 'Lane', 'Road', 'Court', 'Boulevard', 'Way'];
export const UNITS = ['Apt', 'Unit', 'Suite', 'Building'];
export const CARE_OF = ['c/o Housing Office', 'c/o Receiving Dock', 'Rear entrance'];

export const FIRST_NAMES = ['Ana', 'Ben', 'Carla', 'Dmitri', 'Esther', 'Farid', 'Grace', 'Hugo', 'Imani', 'Jonas'];
export const MORE_FIRST_NAMES = ['Keiko', 'Luis', 'Maya', 'Noor', 'Owen', 'Priya', 'Rosa', 'Sven', 'Tariq', 'Wren'];
export const LAST_NAMES = ['Alvarez', 'Becker', 'Chen', 'Dubois', 'Edwards', 'Fischer', 'Garcia', 'Haddad', 'Ito'];
export const MORE_LAST_NAMES = ['Jensen', 'Kowalski', 'Lindqvist', 'Moreau', 'Nguyen', "O'Brien", 'Patel', 'Rossi'];

/** Who approves and rejects, and who drives and weighs. */
export const COUNSELORS = ['Helen Ward', 'Marcus Boyd', 'Yuki Tanaka', 'Sofia Ramos'];
export const DISPATCHERS = ['Pete Novak', 'Dana Fields', 'Amir Khan', 'Joan Reyes', 'Lars Holm'];

export const SHIPMENT_TYPES = ['HHG', 'HHG_INTO_STORAGE', 'UNACCOMPANIED_BAGGAGE', 'PERSONALLY_PROCURED', 'BOAT'];

export const MOVE_REMARKS = [
  'Family travels two weeks ahead of the goods.',
  'Orders may be amended, call before scheduling.',
  'Second move within twelve months.',
  'Reports to the new station on the first of the month.',
];

export const CUSTOMER_REMARKS = [
  'Piano on the second floor.',
  'Narrow driveway, no room for a long trailer.',
  'Please call an hour before arrival.',
  'Two motorcycles, drained of fuel.',
  'Dog on the premises; ring the bell at the gate.',
  'Fragile: aquarium and glass cabinet.\nSee the photographs that came with the order.',
];

export const REJECTION_REASONS = [
  'The orders do not cover this shipment.',
  'The requested pickup is outside of the authorised period.',
  'The weight exceeds the entitlement.',
  'Duplicate of a shipment that was approved before.',
];

/** What is done for a shipment. */
export const SERVICES = [
  { code: 'LINEHAUL', meaning: 'Transport between the two areas' },
  { code: 'ORIGIN_PACKING', meaning: 'Packing at the place of pickup' },
  { code: 'UNPACKING', meaning: 'Unpacking at the destination' },
  { code: 'CRATING', meaning: 'Crates for what cannot be packed otherwise' },
  { code: 'SHUTTLE', meaning: 'A smaller truck for the last mile' },
  { code: 'STORAGE_IN_TRANSIT', meaning: 'Storage until the destination is ready' },
  { code: 'FUEL_SURCHARGE', meaning: 'The price of fuel beyond the base rate' },
];
