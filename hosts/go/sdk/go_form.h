/* go_form.h — the forms that a type has beside its value: inputs, outputs, pointers, lists, maps;
 * and values that are set where nobody gave one. */
#pragma once

#include "go/sdk/go_type.h"

/* The method that says which value `receiver` stands for. */
void go_put_element_type(struct go_file *file, str receiver, str element);
/* NameInput. */
void go_put_input_interface(struct go_file *file, str name, str takes);
/* The methods that make `receiver` one; `element` is its value. */
void go_put_input_methods(struct go_file *file, str name, str receiver, str element);
/* The same for what is no input of the generic form: a constant of an enum. */
void go_put_conversions(struct go_file *file, str name, str receiver, str element);
/* The methods that make a value also an input of its pointer form. */
void go_put_pointer_methods(struct go_file *file, str name, str receiver);
/* A list and a map of inputs; `item` is what is in them, `element` its value. */
void go_put_array_input(struct go_file *file, str name, str item, str element);
void go_put_map_input(struct go_file *file, str name, str item, str element);

/* NameOutput. */
void go_put_output(struct go_file *file, str name, str element);
/* Its method that gives the pointer form. */
void go_put_output_to_pointer(struct go_file *file, str name, str element);
void go_put_pointer_output(struct go_file *file, str name);
void go_put_array_output(struct go_file *file, str name, str element);
void go_put_map_output(struct go_file *file, str name, str element);

/* A method of an output that gives a property. */
struct go_getter {
    str receiver; /* NameOutput */
    str method;
    str value; /* what the output is of */
    str field;
    str type; /* of the field */
    const struct schema_property *property;
    bool is_resource; /* the field is an output */
};
void go_put_getter(struct go_file *file, const struct go_getter *getter);
/* A function without a name that gives a result; one tab further in than what it is in. */
void go_put_function_literal(struct go_file *file, str head, str result);

/* --- the form with generics --- */

/* A method that makes an output of a receiver: ToOutput(parameter) pulumix.Output[element]. */
struct go_to_output {
    str receiver;
    str parameter;
    str element;
    str value; /* what it returns */
};
void go_put_to_output(struct go_file *file, const struct go_to_output *method);
/* The same for a receiver that has the output inside. */
void go_put_output_state(struct go_file *file, str receiver, str parameter, str element, str state);
/* The methods of NameArgs. */
void go_put_generic_input_methods(struct go_file *file, str name);
/* What a getter returns. */
void go_put_generic_getter(struct go_file *file, const struct go_getter *getter, str output);

/* Lines of init(), where the runtime gets to know types. */
void go_put_registration(struct go_file *file, str name, str instance);
void go_put_output_registration(struct go_file *file, str name);

/* --- properties --- */

/* Fields of a value, or of arguments. */
void go_put_value_fields(struct go_file *file, struct schema_properties properties, str resource);
void go_put_object_fields(struct go_file *file, struct schema_properties properties);
/* `has_tags`: the property is named beside each. */
void go_put_argument_fields(struct go_file *file, struct schema_properties properties, str resource,
                            bool has_tags);

bool go_has_default(const struct schema_property *property);
/* Properties of `object`, which is a value or, if `is_argument`, arguments: what has a default gets
 * it where it is not set. */
fallible go_put_default(struct go_file *file, const struct schema_property *property, str object,
                        bool is_argument);
fallible go_put_constant(struct go_file *file, const struct schema_property *property, str object);
/* The text of the default of a property as a value; `*is_conditional`: it has to be compared with
 * nil first, since it depends on the environment. */
fallible go_literal(struct arena *arena, struct value value, const struct schema_type *type,
                    str *out);
/* internal.GetEnvOrDefault(…), and which type its result has. */
fallible go_environment_text(struct go_file *file, const struct schema_property *property, str *out,
                             str *type);
/* The method that fills an object's defaults in, with these properties. */
enum go_fields { GO_VALUE_FIELDS, GO_OBJECT_FIELDS, GO_ARGUMENT_FIELDS };
fallible go_put_defaults_method(struct go_file *file, str name, struct schema_properties properties,
                                enum go_fields fields);
/* The object behind a type has such a method. */
bool go_has_defaults_method(const struct go_file *file, const struct schema_type *type);
bool go_need_defaults_method(const struct go_file *file, struct schema_properties properties);
