// Bread and where it is baked.
package bakery
