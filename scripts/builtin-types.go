// Prints what the OpenAPI documents of Kubernetes do not tell about its API types: their fields in order, which are
// pointers, which are printed though they are empty, and the names of Go types, which decoding errors mention.
// Run by builtin-schemas.mjs within the module of libs/testing.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

type field struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Kind     string   `json:"kind"`
	Pointer  bool     `json:"pointer"`
	Keep     bool     `json:"keep"`
	OmitZero bool     `json:"omitzero"`
	Inline   []string `json:"inline"`
}

var prefixes = []string{
	"k8s.io/api/",
	"k8s.io/apimachinery/pkg/apis/",
	"k8s.io/apimachinery/pkg/api/",
	"k8s.io/apimachinery/pkg/util/",
	"k8s.io/apimachinery/pkg/",
	"k8s.io/apiextensions-apiserver/pkg/apis/",
}

var structs = map[string][]field{}

func nameOf(t reflect.Type) string {
	path := t.PkgPath()
	for _, prefix := range prefixes {
		if rest, found := strings.CutPrefix(path, prefix); found {
			path = strings.ReplaceAll(rest, "/", ".")
			break
		}
	}
	return path + "." + t.Name()
}

func visit(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		visit(t.Elem())
	case reflect.Struct:
		name := nameOf(t)
		if _, known := structs[name]; known {
			return
		}
		structs[name] = nil
		structs[name] = fieldsOf(t, []string{})
	}
}

func fieldsOf(t reflect.Type, inline []string) []field {
	found := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		if !tagged || !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if f.Anonymous && name == "" {
			path := inline
			if f.Name != "TypeMeta" {
				path = append(append([]string{}, inline...), f.Name)
			}
			found = append(found, fieldsOf(f.Type, path)...)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		target := f.Type
		if target.Kind() == reflect.Pointer {
			target = target.Elem()
		}
		found = append(found, field{
			Name:     name,
			Type:     target.String(),
			Kind:     target.Kind().String(),
			Pointer:  f.Type.Kind() == reflect.Pointer,
			Keep:     !strings.Contains(options, "omitempty"),
			OmitZero: strings.Contains(options, "omitzero"),
			Inline:   inline,
		})
		visit(target)
	}
	return found
}

func main() {
	types := runtime.NewScheme()
	if err := scheme.AddToScheme(types); err != nil {
		log.Fatal(err)
	}
	if err := apiextensions.AddToScheme(types); err != nil {
		log.Fatal(err)
	}
	for _, t := range types.AllKnownTypes() {
		visit(t)
	}
	visit(reflect.TypeOf(meta.Status{}))
	if err := json.NewEncoder(os.Stdout).Encode(structs); err != nil {
		log.Fatal(err)
	}
}
