export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const MOVE_CODE = /^[a-z2-9]{6}$/i;
export const SHIPMENT_CODE = /^[a-z2-9]{6}-\d{2,10}$/i;
