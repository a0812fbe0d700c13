/**
 * What goes over the stream and into a recording: the records, their order, and the codec that
 * turns event columns into primitive arrays. Everything that two modules must agree on lives here.
 */
package dev.tidemark.schemas;
