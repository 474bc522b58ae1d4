/** The parts of generated records. People, mailboxes and telephone numbers are fictitious. */

/** City, state and the first three digits of its postal codes. */
export const CITIES = [
  ...['Norfolk,VA,235', 'Arlington,VA,222', 'Fayetteville,NC,283', 'Jacksonville,NC,285', 'Beaufort,SC,299'],
  ...['Columbus,GA,319', 'Savannah,GA,314', 'Pensacola,FL,325', 'Tampa,FL,336', 'Clarksville,TN,370', 'Dayton,OH,454'],
  ...['Belleville,IL,622', 'Leavenworth,KS,660', 'Oklahoma City,OK,731', 'Killeen,TX,765', 'San Antonio,TX,782'],
  ...['El Paso,TX,799', 'Colorado Springs,CO,809', 'Ogden,UT,844', 'Tucson,AZ,857', 'San Diego,CA,921'],
  ...['Oceanside,CA,920', 'Fairfield,CA,945', 'Tacoma,WA,984', 'Anchorage,AK,995', 'Honolulu,HI,968'],
];

export const STREETS = [
  ...['Maple Street', 'Oak Avenue', 'Cedar Drive', 'Elm Lane', 'Chestnut Road', 'Magnolia Court', 'Juniper Way'],
  ...['Washington Boulevard', 'Harbor View Drive', 'Mill Road', 'Quarry Lane', 'Lakeshore Drive', 'Orchard Street'],
];

export const FIRST_NAMES = [
  ...['Ana', 'Ben', 'Carla', 'Dmitri', 'Esther', 'Farid', 'Grace', 'Hugo', 'Imani', 'Jonas'],
  ...['Keiko', 'Luis', 'Maya', 'Noor', 'Owen', 'Priya', 'Rosa', 'Sven', 'Tariq', 'Wren'],
];
export const LAST_NAMES = [
  ...['Alvarez', 'Becker', 'Chen', 'Dubois', 'Edwards', 'Fischer', 'Garcia', 'Haddad', 'Ito'],
  ...['Jensen', 'Kowalski', 'Lindqvist', 'Moreau', 'Nguyen', "O'Brien", 'Patel', 'Rossi'],
];

/** Counselors approve and reject; dispatchers drive and weigh. */
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

/** Codes and descriptions of services. */
export const SERVICES = [
  'LINEHAUL,Transport between the two areas',
  'ORIGIN_PACKING,Packing at the place of pickup',
  'UNPACKING,Unpacking at the destination',
  'CRATING,Crates for what cannot be packed otherwise',
  'SHUTTLE,A smaller truck for the last mile',
  'STORAGE_IN_TRANSIT,Storage until the destination is ready',
  'FUEL_SURCHARGE,The price of fuel beyond the base rate',
];

/** The paths of a shipment after SUBMITTED, weighted by repetition, by its progress. */
export const WAYS = {
  afterDelivery: [
    ...Array<string>(17).fill('APPROVED IN_TRANSIT DELIVERED'),
    ...['REJECTED', 'APPROVED CANCELLATION_REQUESTED CANCELED', 'APPROVED IN_TRANSIT'],
  ],
  underway: [
    ...Array<string>(14).fill('APPROVED IN_TRANSIT'),
    ...Array<string>(4).fill('APPROVED IN_TRANSIT DIVERSION_REQUESTED'),
    ...['REJECTED', 'APPROVED CANCELLATION_REQUESTED CANCELED'],
  ],
  beforePickup: [
    ...Array<string>(8).fill(''),
    ...Array<string>(6).fill('APPROVED'),
    ...['APPROVED DIVERSION_REQUESTED APPROVED', 'APPROVED CANCELLATION_REQUESTED', 'APPROVED DIVERSION_REQUESTED'],
    ...['REJECTED', 'CANCELED', 'APPROVED CANCELLATION_REQUESTED CANCELED'],
  ],
};
